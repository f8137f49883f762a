package org.meshbook.kernel.jshell;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import jdk.jshell.SourceCodeAnalysis.Suggestion;

/// What could stand at the cursor. Any text and any cursor are answered; what is not known is
/// completed to nothing.
public final class Completer {
    private static final Pattern REFERENCE = Pattern.compile("(?s)(.*)::\\s*(\\w*)$");
    private static final Pattern ANNOTATION = Pattern.compile("(?s).*@([\\w.]*)$");
    private static final Pattern IMPORT =
            Pattern.compile("(?s)\\s*import\\s+(?:static\\s+)?([\\w.]*)$");
    private static final Pattern MODULE =
            Pattern.compile("(?s).*\\bimport\\s+module\\s+([\\w.]*)$");
    private static final Pattern WORD = Pattern.compile("(?s).*?([\\p{javaJavaIdentifierPart}]*)$");

    private final Shell shell;
    private final Names names;

    /// @param shell whom to ask
    public Completer(Shell shell) {
        this.shell = shell;
        names = new Names(shell);
    }

    /// @param matches what could stand between `start` and the cursor, best first
    /// @param start in UTF-16 units
    public record Completed(List<Match> matches, int start) {
        public Completed {
            matches = List.copyOf(matches);
        }
    }

    /// @param code Java
    /// @param cursor in UTF-16 units
    /// @return what could stand there
    public Completed complete(String code, int cursor) {
        var before = code.substring(0, Math.clamp(cursor, 0, code.length()));
        if (Literals.open(before)) {
            return new Completed(List.of(), before.length());
        }
        var cell = CellText.of(shell.split(before), before);
        var annotation = ANNOTATION.matcher(before);
        if (annotation.matches() && !annotation.group(1).contains(".")) {
            var typed = annotation.group(1);
            return new Completed(names.annotations(typed), before.length() - typed.length());
        }
        var module = MODULE.matcher(before);
        if (module.matches()) {
            var typed = module.group(1);
            return new Completed(Names.modules(typed), before.length() - typed.length());
        }
        return inCode(cell, before);
    }

    private Completed inCode(CellText cell, String before) {
        var word = word(before);
        var start = before.length() - word.length();
        // 1. what JShell says
        var found = new LinkedHashSet<String>();
        suggestions(cell, found);
        // 2. and what it does not see: packages, and what the cell itself imports
        var typed = cell.typed();
        var importing = IMPORT.matcher(typed);
        if (importing.matches()) {
            names.packages(importing.group(1)).forEach(found::add);
        } else if (!memberOf(before, start)) {
            names.imported(cell.imports(), word).forEach(found::add);
            found.addAll(Names.keywords(word));
        }
        var head = before.substring(0, start);
        var known = names.declared();
        var matches =
                found.stream()
                        .map(
                                text ->
                                        new Match(
                                                text,
                                                kind(text, head, known, importing.matches()),
                                                ""))
                        .toList();
        return new Completed(new Signatures(shell).added(matches, cell, word), start);
    }

    private void suggestions(CellText cell, Set<String> found) {
        var isReference = REFERENCE.matcher(cell.typed()).matches();
        var answer =
                Stream.of(cell.text(), cell.whole(), cell.typed())
                        .distinct()
                        .map(text -> names.qualified(text, cell.imports()))
                        .map(text -> isReference ? called(text) : text)
                        .flatMap(text -> Stream.of(separated(text, ";}"), separated(text, "{")))
                        .distinct()
                        .map(this::ask)
                        .filter(suggestions -> !suggestions.isEmpty())
                        .findFirst()
                        .orElse(List.of());
        Stream.concat(
                        answer.stream().filter(Suggestion::matchesType),
                        answer.stream().filter(s -> !s.matchesType()))
                .map(Suggestion::continuation)
                .map(each -> isReference ? each.replaceFirst("\\(.*", "") : each)
                .filter(each -> !each.startsWith("$Cell") && !each.startsWith("$cell"))
                .filter(each -> !each.startsWith("$JShell$"))
                .forEach(found::add);
    }

    /// `String::valueOf` is completed as `String.valueOf` is.
    private static String called(String text) {
        return REFERENCE.matcher(text).replaceFirst("$1.$2");
    }

    /// JShell does not see the variable that is declared right before the word.
    private static String separated(String text, String after) {
        var word = word(text);
        var head = text.substring(0, text.length() - word.length());
        var end = head.stripTrailing();
        return !end.isEmpty() && after.indexOf(end.charAt(end.length() - 1)) >= 0
                ? head + ";" + word
                : text;
    }

    private List<Suggestion> ask(String text) {
        var anchor = new int[] {text.length()};
        return shell.ask(a -> a.completionSuggestions(text, text.length(), anchor));
    }

    private static String word(String before) {
        var matcher = WORD.matcher(before);
        return matcher.matches() ? matcher.group(1) : "";
    }

    private static boolean memberOf(String before, int start) {
        var head = before.substring(0, start).stripTrailing();
        return head.endsWith(".") || head.endsWith("::");
    }

    private static Match.Kind kind(
            String text, String head, Map<String, Match.Kind> known, boolean importing) {
        if (text.endsWith("(") || text.endsWith("()")) {
            return head.stripTrailing().endsWith("new") ? Match.Kind.CLASS : Match.Kind.FUNCTION;
        }
        var declared = head.stripTrailing().endsWith(".") ? null : known.get(text);
        return Optional.ofNullable(declared).orElseGet(() -> Names.guess(text, importing));
    }
}
