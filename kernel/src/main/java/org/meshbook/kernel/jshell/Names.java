package org.meshbook.kernel.jshell;

import java.lang.module.ModuleDescriptor;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.lang.model.SourceVersion;
import jdk.jshell.MethodSnippet;
import jdk.jshell.Snippet.SubKind;
import jdk.jshell.TypeDeclSnippet;
import jdk.jshell.VarSnippet;
import org.jspecify.annotations.Nullable;

/// Names that JShell's completion does not know, or does not tell apart.
final class Names {
    private static final List<String> KEYWORDS =
            List.of(
                    "abstract",
                    "assert",
                    "boolean",
                    "break",
                    "byte",
                    "case",
                    "catch",
                    "char",
                    "class",
                    "continue",
                    "default",
                    "do",
                    "double",
                    "else",
                    "enum",
                    "extends",
                    "false",
                    "final",
                    "finally",
                    "float",
                    "for",
                    "if",
                    "implements",
                    "import",
                    "instanceof",
                    "int",
                    "interface",
                    "long",
                    "module",
                    "native",
                    "new",
                    "null",
                    "package",
                    "permits",
                    "private",
                    "protected",
                    "public",
                    "record",
                    "return",
                    "sealed",
                    "short",
                    "static",
                    "super",
                    "switch",
                    "synchronized",
                    "this",
                    "throw",
                    "throws",
                    "transient",
                    "true",
                    "try",
                    "var",
                    "void",
                    "volatile",
                    "when",
                    "while",
                    "yield");
    private static final List<String> ANNOTATIONS =
            List.of(
                    "Deprecated",
                    "Documented",
                    "FunctionalInterface",
                    "Inherited",
                    "Override",
                    "Repeatable",
                    "Retention",
                    "SafeVarargs",
                    "Serial",
                    "SuppressWarnings",
                    "Target");

    /// Strings and comments are left alone.
    private static final Pattern TOKEN =
            Pattern.compile(
                    "\"\"\"(?s:.*?)\"\"\"|\"(?:\\\\.|[^\"\\\\\n"
                            + "])*\"|'(?:\\\\.|[^'\\\\\n"
                            + "])*'|//[^\n"
                            + "]*|/\\*(?s:.*?)\\*/|(?<![.\\w$])([A-Za-z_$][\\w$]*)(?![\\w$])");

    private final Shell shell;

    Names(Shell shell) {
        this.shell = shell;
    }

    /// What a name looks like, by Java's conventions.
    static Match.Kind guess(String text, boolean importing) {
        if (KEYWORDS.contains(text)) {
            return Match.Kind.KEYWORD;
        }
        var simple = text.substring(text.lastIndexOf('.', text.length() - 2) + 1);
        if (!simple.isEmpty() && Character.isUpperCase(simple.charAt(0))) {
            var constant = simple.chars().noneMatch(Character::isLowerCase) && simple.length() > 1;
            return constant ? Match.Kind.VARIABLE : Match.Kind.CLASS;
        }
        return importing || text.endsWith(".") || PACKAGES.get().contains(text)
                ? Match.Kind.MODULE
                : Match.Kind.VARIABLE;
    }

    private static final Lazy PACKAGES = new Lazy();

    /// The packages that the JDK exports, and the parts of their names.
    private static final class Lazy {
        private @Nullable Set<String> names;

        synchronized Set<String> get() {
            var known = names;
            if (known == null) {
                known =
                        ModuleLayer.boot().modules().stream()
                                .map(Module::getDescriptor)
                                .flatMap(module -> module.exports().stream())
                                .filter(Predicate.not(ModuleDescriptor.Exports::isQualified))
                                .map(ModuleDescriptor.Exports::source)
                                .collect(Collectors.toCollection(TreeSet::new));
                names = known;
            }
            return known;
        }
    }

    /// @param typed the beginning of a package's name
    /// @return the part that could follow its last dot
    List<String> packages(String typed) {
        var from = typed.lastIndexOf('.') + 1;
        return PACKAGES.get().stream()
                .filter(name -> name.startsWith(typed))
                .map(name -> name.substring(from).split("\\.")[0])
                .filter(part -> !part.isEmpty())
                .map(part -> part + ".")
                .distinct()
                .toList();
    }

    /// @param typed the beginning of a module's name
    /// @return the modules that it could become
    static List<Match> modules(String typed) {
        return ModuleLayer.boot().modules().stream()
                .map(Module::getName)
                .filter(name -> name.startsWith(typed))
                .sorted()
                .map(name -> new Match(name, Match.Kind.MODULE, ""))
                .toList();
    }

    /// @param typed the beginning of a word; nothing is offered for none
    /// @return the keywords that it could become
    static List<String> keywords(String typed) {
        return typed.isEmpty()
                ? List.of()
                : KEYWORDS.stream().filter(word -> word.startsWith(typed)).toList();
    }

    /// @return names that cells declared, and what they are
    Map<String, Match.Kind> declared() {
        return shell.declarations(
                snippets -> {
                    var kinds = new HashMap<String, Match.Kind>();
                    snippets.forEach(
                            snippet -> {
                                switch (snippet) {
                                    case VarSnippet v -> kinds.put(v.name(), Match.Kind.VARIABLE);
                                    case TypeDeclSnippet t -> kinds.put(t.name(), Match.Kind.CLASS);
                                    case MethodSnippet m ->
                                            kinds.putIfAbsent(m.name(), Match.Kind.FUNCTION);
                                    default -> {}
                                }
                            });
                    return kinds;
                });
    }

    /// @param typed the beginning of an annotation's name
    /// @return annotations that it could become
    List<Match> annotations(String typed) {
        var own =
                shell.declarations(
                        snippets ->
                                snippets.filter(s -> s.subKind() == SubKind.ANNOTATION_TYPE_SUBKIND)
                                        .map(s -> ((TypeDeclSnippet) s).name())
                                        .toList());
        return Stream.concat(own.stream(), ANNOTATIONS.stream())
                .filter(name -> name.startsWith(typed))
                .distinct()
                .map(name -> new Match(name, Match.Kind.CLASS, ""))
                .toList();
    }

    /// @param imports of the cell itself
    /// @param typed the beginning of a name
    /// @return imported names that it could become
    List<String> imported(List<String> imports, String typed) {
        return imports.stream()
                .flatMap(each -> imported(each, typed))
                .filter(name -> name.startsWith(typed))
                .distinct()
                .toList();
    }

    private Stream<String> imported(String each, String typed) {
        var isStatic = each.startsWith("static ");
        var name = each.replaceFirst("^(static|module) ", "");
        if (each.startsWith("module ") || (name.endsWith("*") && typed.isEmpty())) {
            return Stream.of();
        }
        if (!name.endsWith(".*")) {
            return Stream.of(name.substring(name.lastIndexOf('.') + 1) + (isStatic ? "(" : ""));
        }
        var place = name.substring(0, name.length() - 1);
        return isStatic
                ? statics(place.substring(0, place.length() - 1))
                : shell
                        .ask(
                                a ->
                                        a.completionSuggestions(
                                                place + typed,
                                                place.length() + typed.length(),
                                                new int[1]))
                        .stream()
                        .map(s -> s.continuation())
                        .filter(text -> !text.isEmpty() && Character.isUpperCase(text.charAt(0)));
    }

    private Stream<String> statics(String type) {
        return load(type).stream()
                .flatMap(
                        c ->
                                Stream.concat(
                                        Arrays.stream(c.getMethods())
                                                .filter(m -> Modifier.isStatic(m.getModifiers()))
                                                .map(m -> m.getName() + "("),
                                        Arrays.stream(c.getFields())
                                                .filter(f -> Modifier.isStatic(f.getModifiers()))
                                                .map(f -> f.getName())));
    }

    private Optional<Class<?>> load(String name) {
        try {
            return Optional.of(Class.forName(name, false, shell.loader()));
        } catch (ClassNotFoundException | LinkageError e) {
            return Optional.empty();
        }
    }

    /// Writes names out that the cell itself imports, since JShell does not know them yet.
    String qualified(String code, List<String> imports) {
        if (imports.isEmpty()) {
            return code;
        }
        var known = new HashMap<String, String>();
        return TOKEN.matcher(code)
                .replaceAll(
                        token ->
                                token.group(1) == null || token.end() == code.length()
                                        ? Matcher.quoteReplacement(token.group())
                                        : Matcher.quoteReplacement(
                                                known.computeIfAbsent(
                                                        token.group(1),
                                                        name -> qualified(name, imports, code))));
    }

    private String qualified(String name, List<String> imports, String code) {
        if (SourceVersion.isKeyword(name)) {
            return name;
        }
        for (var each : imports) {
            var isStatic = each.startsWith("static ");
            var place = each.replaceFirst("^static ", "");
            var whole = place.endsWith("*") ? place.substring(0, place.length() - 1) + name : place;
            var names = whole.endsWith("." + name);
            if (names && (isStatic ? isStatic(whole, code) : load(whole).isPresent())) {
                return whole;
            }
        }
        return name;
    }

    private boolean isStatic(String member, String code) {
        var dot = member.lastIndexOf('.');
        var name = member.substring(dot + 1);
        var declaredHere = code.matches("(?s).*\\b[\\w>\\]]+\\s+" + Pattern.quote(name) + "\\b.*");
        return !declaredHere
                && statics(member.substring(0, dot))
                        .anyMatch(each -> each.equals(name) || each.equals(name + "("));
    }
}
