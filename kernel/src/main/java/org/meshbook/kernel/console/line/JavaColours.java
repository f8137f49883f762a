package org.meshbook.kernel.console.line;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jline.reader.Highlighter;
import org.jline.reader.LineReader;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStringBuilder;
import org.jline.utils.AttributedStyle;

/// Colours a cell while it is typed, and marks the bracket that belongs to the one at the cursor.
final class JavaColours implements Highlighter {
    private static final Pattern TOKEN =
            Pattern.compile(
                    """
                    (?<comment>//[^\\n]*|/\\*(?s:.*?)(?:\\*/|\\z))\
                    |(?<string>""\"(?s:(?:\\\\.|.)*?)(?:""\"|\\z)|"(?:\\\\.|[^"\\\\\\n])*"?|'(?:\\\\.|[^'\\\\\\n])*'?)\
                    |(?<magic>(?m:^)[ \\t]*%%?\\p{javaJavaIdentifierStart}[^\\s?]*)\
                    |(?<annotation>@\\p{javaJavaIdentifierStart}[\\p{javaJavaIdentifierPart}.]*)\
                    |(?<number>\\b\\d[\\w.]*|\\.\\d[\\w.]*)\
                    |(?<word>\\p{javaJavaIdentifierStart}\\p{javaJavaIdentifierPart}*)\
                    |(?<bracket>[(\\[{}\\])])\
                    """);

    private static final Set<String> KEYWORDS =
            Set.of(
                    ("abstract assert boolean break byte case catch char class continue default do"
                                    + " double else enum extends false final finally float for if implements"
                                    + " import instanceof int interface long module new null package permits"
                                    + " private protected public record return sealed short static strictfp"
                                    + " super switch synchronized this throw throws transient true try var"
                                    + " void volatile when while yield")
                            .split(" "));

    private static final AttributedStyle PLAIN = AttributedStyle.DEFAULT;
    private static final AttributedStyle KEYWORD = PLAIN.foreground(AttributedStyle.BLUE).bold();
    private static final AttributedStyle TYPE = PLAIN.foreground(AttributedStyle.CYAN);
    private static final AttributedStyle STRING = PLAIN.foreground(AttributedStyle.GREEN);
    private static final AttributedStyle NUMBER = PLAIN.foreground(AttributedStyle.YELLOW);
    private static final AttributedStyle COMMENT =
            PLAIN.foreground(AttributedStyle.BRIGHT + AttributedStyle.BLACK);
    private static final AttributedStyle MAGIC = PLAIN.foreground(AttributedStyle.MAGENTA).bold();
    private static final AttributedStyle PAIR = PLAIN.bold().underline();
    private static final Map<Character, Character> OPENING = Map.of(')', '(', ']', '[', '}', '{');

    @Override
    public AttributedString highlight(LineReader reader, String buffer) {
        var typed = reader.getBuffer();
        var cursor = buffer.contentEquals(typed.toString()) ? typed.cursor() : -1;
        return colour(buffer, cursor);
    }

    /// @param code a cell's text
    /// @param cursor in it, or -1
    /// @return the same characters with styles
    static AttributedString colour(String code, int cursor) {
        var text = new AttributedStringBuilder(code.length());
        var brackets = new ArrayList<Integer>();
        var tokens = new ArrayList<Token>();
        var matcher = TOKEN.matcher(code);
        while (matcher.find()) {
            tokens.add(new Token(matcher.start(), matcher.end(), style(matcher)));
            if (matcher.group("bracket") != null) {
                brackets.add(matcher.start());
            }
        }
        var pair = pair(code, brackets, cursor);
        var at = 0;
        for (var token : tokens) {
            text.style(PLAIN).append(code, at, token.start);
            text.style(pair.contains(token.start) ? PAIR : token.style);
            text.append(code, token.start, token.end);
            at = token.end;
        }
        return text.style(PLAIN).append(code, at, code.length()).toAttributedString();
    }

    private record Token(int start, int end, AttributedStyle style) {}

    private static AttributedStyle style(Matcher matcher) {
        if (matcher.group("comment") != null) {
            return COMMENT;
        }
        if (matcher.group("string") != null) {
            return STRING;
        }
        if (matcher.group("magic") != null || matcher.group("annotation") != null) {
            return MAGIC;
        }
        if (matcher.group("number") != null) {
            return NUMBER;
        }
        var word = matcher.group("word");
        if (word == null) {
            return PLAIN;
        }
        if (KEYWORDS.contains(word)) {
            return KEYWORD;
        }
        return Character.isUpperCase(word.codePointAt(0)) ? TYPE : PLAIN;
    }

    /// The bracket at or before the cursor and the one that belongs to it; empty if there are none.
    private static List<Integer> pair(String code, List<Integer> brackets, int cursor) {
        var open = new ArrayDeque<Integer>();
        var partners = new HashMap<Integer, Integer>();
        for (var at : brackets) {
            var opening = OPENING.get(code.charAt(at));
            if (opening == null) {
                open.push(at);
            } else if (!open.isEmpty() && code.charAt(open.peek()) == opening) {
                partners.put(at, open.peek());
                partners.put(open.pop(), at);
            }
        }
        for (var at : List.of(cursor - 1, cursor)) {
            var partner = partners.get(at);
            if (partner != null) {
                return List.of(at, partner);
            }
        }
        return List.of();
    }
}
