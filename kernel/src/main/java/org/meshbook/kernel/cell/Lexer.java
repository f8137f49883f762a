package org.meshbook.kernel.cell;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/// Tells magics from Java.
///
/// `%name` at the start of a line is a magic only where Java could not go on: outside strings, text
/// blocks, comments and brackets, and after a finished statement. So `10\n %x` is a remainder, as
/// Java says. `%%name` is a magic in the first line that is not blank. `name?` on a line asks about
/// a name.
final class Lexer {
    private static final String CALL = "org.meshbook.kernel.display.Display.magic(\"%s\");";
    private static final Pattern QUESTION =
            Pattern.compile(
                    "(?:([\\p{javaJavaIdentifierStart}][\\p{javaJavaIdentifierPart}.]*(?:\\(\\))?)\\?{1,2}|\\?{1,2}["
                            + " \\t]*(%{0,2}[\\p{javaJavaIdentifierStart}][\\p{javaJavaIdentifierPart}.]*))["
                            + " \\t]*(?:\\R|$)");

    /// Where the statement ends at the latest.
    private static final Pattern END = Pattern.compile(";|\\n[ \\t]*%");

    private static final Pattern COLON = Pattern.compile("(?<!:):(?!:)");

    private final String code;
    private final List<Segment> segments = new ArrayList<>();

    /// Begin and end of the magics whose values are assigned.
    private final List<int[]> values = new ArrayList<>();

    private int at;
    private int javaStart;
    private final Deque<Integer> open = new ArrayDeque<>();

    /// Whether a statement, or nothing, ends right before this place.
    private boolean finished = true;

    /// Whether the statement assigns: then a closing brace does not end it.
    private boolean assigns;

    private Lexer(String code) {
        this.code = code;
    }

    /// @param code a cell's text
    /// @return its parts in order, covering all of it but line ends after magics
    static List<Segment> segments(String code) {
        var lexer = new Lexer(code);
        lexer.scan();
        return List.copyOf(lexer.segments);
    }

    /// @param code Java
    /// @return how many brackets are open at its end
    static int depth(String code) {
        var lexer = new Lexer(code);
        lexer.scan();
        return lexer.open.size();
    }

    /// @param code Java
    /// @return where the innermost bracket is that is open at its end
    static OptionalInt open(String code) {
        var lexer = new Lexer(code);
        lexer.scan();
        return lexer.open.isEmpty() ? OptionalInt.empty() : OptionalInt.of(lexer.open.peek());
    }

    private void scan() {
        if (wholeCellMagic()) {
            return;
        }
        while (at < code.length()) {
            step(code.charAt(at));
        }
        endJava(code.length());
    }

    private boolean wholeCellMagic() {
        var first = 0;
        while (first < code.length() && Character.isWhitespace(code.charAt(first))) {
            first++;
        }
        if (!code.startsWith("%%", first) || !startsName(first + 2)) {
            return false;
        }
        magic(first, true);
        return true;
    }

    private void step(char c) {
        if (finished && !Character.isWhitespace(c) && question()) {
            return;
        }
        switch (c) {
            case '"' -> string();
            case '\'' -> quoted('\'');
            case '/' -> slash();
            case '(', '[', '{' -> {
                open.push(at);
                finished = false;
                at++;
            }
            case ')', ']' -> {
                open.poll();
                finished = false;
                at++;
            }
            case '}' -> {
                open.poll();
                ends(open.isEmpty() && !assigns);
            }
            case ';' -> ends(open.isEmpty());
            case '=' -> equal();
            case '%' -> percent();
            default -> {
                finished &= Character.isWhitespace(c);
                at++;
            }
        }
    }

    /// `list?` and `?list` on a line of their own, if Java could not go on: `b?` may begin `b ? 1 :
    /// 2`.
    private boolean question() {
        var asked = QUESTION.matcher(code).region(at, code.length());
        if (!open.isEmpty() || !asked.lookingAt() || !startsLine() || goesOn(asked.end())) {
            return false;
        }
        endJava(at);
        var name = asked.group(1) == null ? asked.group(2) : asked.group(1);
        var first = segments.isEmpty() && code.substring(0, at).isBlank();
        var magic = name.startsWith("%") ? "help" : "pinfo";
        segments.add(new Segment.Magic(magic, name, "", false, first, at));
        at = Math.min(code.length(), asked.end());
        javaStart = at;
        return true;
    }

    /// @return whether what follows could be the rest of a conditional expression
    private boolean goesOn(int from) {
        var rest = END.split("\n" + code.substring(from), 2)[0];
        return COLON.matcher(rest).find();
    }

    private void ends(boolean statement) {
        finished = statement;
        if (statement) {
            assigns = false;
        }
        at++;
    }

    private void equal() {
        var before = at > 0 ? code.charAt(at - 1) : ' ';
        var compares = "=!<>".indexOf(before) >= 0 || code.startsWith("==", at);
        assigns |= open.isEmpty() && !compares;
        finished = false;
        at++;
    }

    private void percent() {
        var name = code.startsWith("%%", at) ? at + 2 : at + 1;
        if (open.isEmpty() && finished && startsLine() && startsName(name)) {
            endJava(at);
            magic(at, name == at + 2);
            javaStart = at;
            return;
        }
        if (open.isEmpty() && name == at + 1 && startsName(name) && isAssigned()) {
            assigned();
            return;
        }
        finished = false;
        at++;
    }

    /// Whether `=` stands right before: then Java could not go on.
    private boolean isAssigned() {
        var before = at - 1;
        while (before >= javaStart && " \t".indexOf(code.charAt(before)) >= 0) {
            before--;
        }
        return before > javaStart
                && code.charAt(before) == '='
                && "=!<>+-*/%&|^".indexOf(code.charAt(before - 1)) < 0;
    }

    /// `List<String> jars = %jars lib/*.jar`: the value of a magic, as in IJava. It ends the
    /// statement.
    private void assigned() {
        var end = lineEnd(at);
        var line = code.substring(at + 1, end).strip().replaceFirst("\\s*;$", "");
        var call = CALL.formatted(line.replace("\\", "\\\\").replace("\"", "\\\""));
        segments.add(new Segment.Java(code.substring(javaStart, at) + call, javaStart));
        values.add(new int[] {at, end});
        at = end;
        javaStart = end;
        finished = true;
        assigns = false;
    }

    private int lineEnd(int from) {
        var end = code.indexOf('\n', from);
        return end < 0 ? code.length() : end;
    }

    /// @param code a cell's text
    /// @return the same, as long, with a number in place of each magic whose value is assigned
    static String withoutValues(String code) {
        var lexer = new Lexer(code);
        lexer.scan();
        var text = new StringBuilder(code);
        for (var value : lexer.values) {
            text.replace(
                    value[0], value[1], "0;" + " ".repeat(Math.max(0, value[1] - value[0] - 2)));
        }
        return text.toString();
    }

    private boolean startsLine() {
        var i = at - 1;
        while (i >= 0 && code.charAt(i) != '\n') {
            if (!Character.isWhitespace(code.charAt(i))) {
                return false;
            }
            i--;
        }
        return true;
    }

    private boolean startsName(int index) {
        return index < code.length() && Character.isJavaIdentifierStart(code.charAt(index));
    }

    private void endJava(int end) {
        var text = code.substring(javaStart, end);
        if (!text.isBlank()) {
            segments.add(new Segment.Java(text, javaStart));
        }
    }

    private void magic(int start, boolean wholeCell) {
        var lineEnd = code.indexOf('\n', start);
        lineEnd = lineEnd < 0 ? code.length() : lineEnd;
        var typed = code.substring(start + (wholeCell ? 2 : 1), lineEnd).strip();
        var split = 0;
        while (split < typed.length() && !Character.isWhitespace(typed.charAt(split))) {
            split++;
        }
        var first = segments.isEmpty() && code.substring(0, start).isBlank();
        var body = wholeCell && first ? code.substring(Math.min(code.length(), lineEnd + 1)) : "";
        segments.add(
                new Segment.Magic(
                        typed.substring(0, split),
                        typed.substring(split).strip(),
                        body,
                        wholeCell,
                        first,
                        start));
        at = Math.min(code.length(), lineEnd + 1);
        finished = true;
        assigns = false;
    }

    private void slash() {
        if (code.startsWith("//", at)) {
            var end = code.indexOf('\n', at);
            at = end < 0 ? code.length() : end;
        } else if (code.startsWith("/*", at)) {
            var end = code.indexOf("*/", at + 2);
            at = end < 0 ? code.length() : end + 2;
        } else {
            finished = false;
            at++;
        }
    }

    private void string() {
        if (code.startsWith("\"\"\"", at)) {
            textBlock();
        } else {
            quoted('"');
        }
    }

    private void quoted(char quote) {
        finished = false;
        at++;
        while (at < code.length() && code.charAt(at) != quote && code.charAt(at) != '\n') {
            at += code.charAt(at) == '\\' ? 2 : 1;
        }
        at = Math.min(code.length(), at + 1);
    }

    private void textBlock() {
        finished = false;
        at += 3;
        while (at < code.length() && !code.startsWith("\"\"\"", at)) {
            at += code.charAt(at) == '\\' ? 2 : 1;
        }
        at = Math.min(code.length(), at + 3);
    }
}
