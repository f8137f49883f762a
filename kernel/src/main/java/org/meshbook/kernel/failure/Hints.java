package org.meshbook.kernel.failure;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jdk.jshell.Diag;
import jdk.jshell.SourceCodeAnalysis.Suggestion;
import org.meshbook.kernel.jshell.Shell;
import org.meshbook.kernel.spi.Nearest;

/// What a person may try next, for the errors that are met most.
final class Hints {
    private static final Pattern SYMBOL =
            Pattern.compile("symbol:\\s+(class|variable|method|static)\\s+([\\w$]+)");
    private static final Pattern LOCATION = Pattern.compile("location:\\s+package\\s+([\\w.]+)");
    private static final Pattern PACKAGE = Pattern.compile("package ([\\w.]+) does not exist");

    private static final Map<String, String> BOXES =
            Map.of(
                    "int",
                    "Integer",
                    "long",
                    "Long",
                    "double",
                    "Double",
                    "float",
                    "Float",
                    "boolean",
                    "Boolean",
                    "char",
                    "Character",
                    "byte",
                    "Byte",
                    "short",
                    "Short");

    private final Shell shell;
    private final String source;

    /// @param source the refused snippet
    Hints(Shell shell, String source) {
        this.shell = shell;
        this.source = source;
    }

    /// @return what may help against an error; usually nothing or one line
    List<String> of(Diag error) {
        var magic = magic(error);
        return magic.isEmpty() ? known(error) : magic;
    }

    private List<String> known(Diag error) {
        var text = error.getMessage(Locale.ROOT);
        var code = error.getCode();
        if (code.contains("cant.resolve")) {
            return symbol(text, error);
        }
        if (code.contains("doesnt.exist")) {
            return missingPackage(text);
        }
        if (code.contains("preview.feature")) {
            return List.of("cells know the Java of this release, without its preview features");
        }
        return switch (code) {
            case "compiler.err.illegal.char" -> odd(error);
            case "compiler.err.unclosed.char.lit" ->
                    List.of("text stands between double quotes, as in \"abc\"");
            case "compiler.err.expected", "compiler.err.expected2", "compiler.err.expected3" ->
                    expected(text, error);
            case "compiler.err.unreported.exception.need.to.catch.or.throw" ->
                    List.of("add \"throws Exception\" to the method, or catch it");
            case "compiler.err.type.found.req" -> boxed(text);
            case "compiler.err.prob.found.req" -> cast(text);
            case "compiler.err.int.number.too.large" ->
                    List.of(
                            "a long ends with L, as in 99999999999L; beyond that there is"
                                    + " BigInteger");
            default -> List.of();
        };
    }

    private List<String> symbol(String text, Diag error) {
        var symbol = SYMBOL.matcher(text);
        if (!symbol.find()) {
            return List.of();
        }
        var name = symbol.group(2);
        var inPackage = LOCATION.matcher(text);
        if (inPackage.find()) {
            return meant(Nearest.to(name, typesOf(inPackage.group(1))));
        }
        return switch (symbol.group(1)) {
            case "class" -> type(name);
            case "method" -> isMember(error) ? member(name, error) : method(name);
            case "variable" ->
                    isMember(error)
                            ? member(name, error)
                            : Character.isUpperCase(name.charAt(0)) ? type(name) : variable(name);
            default -> List.of();
        };
    }

    private List<String> type(String name) {
        var found = MissingImport.of(name, shell.qualified(name));
        if (found.isPresent()) {
            return List.of(found.get());
        }
        var known = new TreeSet<>(shell.names());
        List.of("java.lang", "java.util", "java.io", "java.nio.file", "java.time", "java.math")
                .forEach(each -> known.addAll(typesOf(each)));
        List.of("java.util.function", "java.util.stream", "java.util.concurrent", "java.net")
                .forEach(each -> known.addAll(typesOf(each)));
        return meant(Nearest.to(name, known));
    }

    private List<String> variable(String name) {
        return meant(Nearest.to(name, shell.names()));
    }

    private List<String> method(String name) {
        return switch (name) {
            case "println", "print" ->
                    List.of("IO.%s(...) or System.out.%s(...)".formatted(name, name));
            case "printf" -> List.of("System.out.printf(...)");
            default -> meant(Nearest.to(name, shell.names()));
        };
    }

    /// Asks JShell what could stand behind the dot.
    private List<String> member(String name, Diag error) {
        var dot = dot(error);
        var anchor = new int[1];
        var before = source.substring(0, dot + 1);
        var members =
                shell.ask(a -> a.completionSuggestions(before, before.length(), anchor)).stream()
                        .map(Suggestion::continuation)
                        .map(word -> word.replaceAll("\\W.*", ""))
                        .toList();
        return meant(Nearest.to(name, members));
    }

    private boolean isMember(Diag error) {
        return dot(error) >= 0;
    }

    private int dot(Diag error) {
        var at = (int) error.getPosition();
        return at >= 0 && at < source.length() && source.charAt(at) == '.' ? at : -1;
    }

    private List<String> missingPackage(String text) {
        var found = PACKAGE.matcher(text);
        if (!found.find()) {
            return List.of();
        }
        var near = Nearest.to(found.group(1), packages());
        return near.isEmpty()
                ? List.of("%%maven adds a library that has it, %%classpath a jar".formatted())
                : meant(near);
    }

    private static Collection<String> packages() {
        var all = new TreeSet<String>();
        ModuleLayer.boot().modules().forEach(module -> all.addAll(module.getPackages()));
        for (var each : ClassLoader.getSystemClassLoader().getDefinedPackages()) {
            all.add(each.getName());
        }
        all.removeIf(name -> MissingImport.isInternal(name + "."));
        return all;
    }

    private Collection<String> typesOf(String name) {
        var anchor = new int[1];
        var before = name + ".";
        return shell.ask(a -> a.completionSuggestions(before, before.length(), anchor)).stream()
                .map(Suggestion::continuation)
                .filter(word -> !word.isEmpty() && Character.isUpperCase(word.charAt(0)))
                .toList();
    }

    private List<String> odd(Diag error) {
        var at = (int) error.getPosition();
        if (at < 0 || at >= source.length()) {
            return List.of();
        }
        var character = source.codePointAt(at);
        var name = "U+%04X %s".formatted(character, Character.getName(character));
        return List.of(
                switch (character) {
                    case 0x201C, 0x201D, 0x201E, 0x00AB, 0x00BB, 0xFF02 ->
                            name + ", as text programs write it: Java wants \"";
                    case 0x2018, 0x2019, 0x201A, 0x0060, 0x00B4 ->
                            name + ", as text programs write it: Java wants '";
                    case 0x00A0, 0x2007, 0x202F, 0x3000, 0x2003, 0x2002 ->
                            name + ", which looks like a space: write a space";
                    case 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF ->
                            name + ", which cannot be seen: delete it";
                    case 0x2013, 0x2014, 0x2212, 0x2010, 0x2011 -> name + ": Java wants -";
                    case 0x00D7 -> name + ": Java wants *";
                    case 0x037E, 0xFF1B -> name + ": Java wants ;";
                    case '#' -> "a comment begins with //";
                    default -> name + " cannot stand here; names hold letters, digits, _ and $";
                });
    }

    private List<String> expected(String text, Diag error) {
        var wanted = text.startsWith("';' expected");
        var rest = source.substring((int) Math.clamp(error.getPosition(), 0, source.length()));
        return wanted && rest.strip().matches("(?s).+") && rest.matches("(?s).?\\s*\\R.*")
                ? List.of("this line needs a ; at its end")
                : List.of();
    }

    /// A line that was meant as a magic, behind a statement that is not finished.
    private List<String> magic(Diag error) {
        var at = (int) Math.clamp(error.getPosition(), 0, source.length());
        var start = source.lastIndexOf('\n', at - 1) + 1;
        var rest = source.substring(start);
        return rest.matches("(?s)\\s*%%?[a-zA-Z].*")
                        || rest.matches("(?s)[^\\n]*\\n\\s*%%?[a-zA-Z].*")
                ? List.of("a magic stands only after a finished statement; is a ';' missing above?")
                : List.of();
    }

    private static List<String> boxed(String text) {
        Matcher found = Pattern.compile("found:\\s+(\\w+)").matcher(text);
        var box = found.find() ? BOXES.get(found.group(1)) : null;
        return box == null ? List.of() : List.of("write %s".formatted(box));
    }

    private static List<String> cast(String text) {
        var found = Pattern.compile("lossy conversion from \\w+ to (\\w+)").matcher(text);
        return found.find()
                ? List.of(
                        "if that is meant, say so: (%s) before the value".formatted(found.group(1)))
                : List.of();
    }

    private static List<String> meant(List<String> near) {
        if (near.isEmpty()) {
            return List.of();
        }
        var all = new ArrayList<>(near);
        return List.of("did you mean %s?".formatted(String.join(" or ", all)));
    }
}
