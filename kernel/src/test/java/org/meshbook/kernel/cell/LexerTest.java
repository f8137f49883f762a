package org.meshbook.kernel.cell;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LexerTest {
    /// `J` is Java, `name(arguments)` a line magic, `%name` one over the cell; a `~` is a new line.
    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    int r = 10 %7;               | J
                    int a = 1234~  %7;~a         | J
                    int a = b~  %c~  + 1;        | J
                    %7                           | J
                    f(1,~%x)                     | J
                    String s = "~%x";            | J
                    var t = \"""~%x~\""";        | J
                    /* note~%x~*/                | J
                    // note~%x                   | J x()
                    %x                           | x()
                    %x one  two                  | x(one  two)
                    %x;                          | x;()
                    int a = 1;~%x y~a            | J x(y) J
                    class A { }~%x               | J x()
                    for (;;) {~%x~}              | J
                    int[] a = {1}~%x             | J
                    if (b) { f(); }~%x           | J x()
                    char c = '"';~%x             | J x()
                    var s = "\\"";~%x            | J x()
                    %x~%y                        | x() y()
                    %%x y~body                   | %x(y)
                    ~~%%x~body                   | %x()
                    int a = 1;~%%x               | J %x()
                    %x?                          | x?()
                    a %b                         | J
                    x?                           | pinfo(x)
                    int a;~Math.max?~a           | J pinfo(Math.max) J
                    ?list                        | pinfo(list)
                    ?%x                          | help(%x)
                    x??~y?~%m g:a:1              | pinfo(x) pinfo(y) m(g:a:1)
                    b?~1 : 2                     | J
                    b ?~"1" : "2";               | J
                    int a = b~x?                 | J
                    f(~x?~                       | J
                    // x?                        | J
                    """)
    void tellsMagicsFromJava(String code, String parts) {
        var found =
                Lexer.segments(code.replace('~', '\n')).stream()
                        .map(LexerTest::described)
                        .collect(Collectors.joining(" "));
        assertThat(found).isEqualTo(parts);
    }

    private static String described(Segment segment) {
        return switch (segment) {
            case Segment.Java _ -> "J";
            case Segment.Magic magic ->
                    "%s%s(%s)"
                            .formatted(
                                    magic.wholeCell() ? "%" : "", magic.name(), magic.arguments());
        };
    }

    @Test
    void bodyIsEverythingBelowTheFirstLine() {
        assertThat(Lexer.segments("%%x a\n one\n%y\n"))
                .containsExactly(new Segment.Magic("x", "a", " one\n%y\n", true, true, 0));
    }

    @Test
    void javaKeepsItsPlaceInTheCell() {
        assertThat(Lexer.segments("%x\nint a;"))
                .last()
                .isEqualTo(new Segment.Java("int a;", "%x\n".length()));
    }

    /// Pieces of Java in which a percent sign stands wherever it may; each is a whole statement.
    private static final List<String> STATEMENTS =
            List.of(
                    "int a = 10 %b;",
                    "int a = 10\n  %b\n %c;",
                    "x %= 3;",
                    "x\n%= 3;",
                    "f(a\n%b, (c)\n%d);",
                    "String s = \"%x \\\" %y\";",
                    "String t = \"\"\"\n%x\n  %%y \\\"\"\" %z\n\"\"\";",
                    "char c = '%'; char d = '\\''; char e = '\"';",
                    "// note %x",
                    "/* %x\n%y\n%%z */",
                    "/** %x */ class A { int n = 3\n%m; }",
                    "for (int i = 0; i\n%n < 3; i++) { g(i\n%z); }",
                    "int[] p = {1\n%q, 2};",
                    "var l = List.<Map<String, Integer>>of();",
                    "Runnable r = () -> { int k = 5\n%x; };",
                    "if (a\n%b == 0) { h(); } else { h(); }",
                    "switch (v) { case 1 -> h(); default -> { } }",
                    "int y = switch (v) { case 1 -> 5\n%w; default -> 2; };",
                    "label: while (true) { break label; }",
                    "@Deprecated\nvoid m(int... n) { }",
                    "record R(int a) { R { } }",
                    "printf(\"%s%n\", a[1\n%b]);",
                    "{ }",
                    ";");

    private static final List<String> BETWEEN = List.of("\n", " ", "\r\n", "\n\n  ", "\t\n");

    @Test
    void javaIsNeverTakenForAMagic() {
        var random = new Random(7);
        for (var round = 0; round < 3_000; round++) {
            var code = new StringBuilder();
            for (var i = random.nextInt(1, 8); i > 0; i--) {
                code.append(STATEMENTS.get(random.nextInt(STATEMENTS.size())));
                // A comment to the end of the line swallows what follows on it.
                code.append('\n').append(BETWEEN.get(random.nextInt(BETWEEN.size())));
            }
            var text = code.toString();
            assertThat(Lexer.segments(text)).containsExactly(new Segment.Java(text, 0));
        }
    }

    @Test
    void magicBetweenStatementsIsAlwaysFound() {
        var random = new Random(8);
        for (var round = 0; round < 3_000; round++) {
            var before = STATEMENTS.get(random.nextInt(STATEMENTS.size())) + "\n";
            var after = STATEMENTS.get(random.nextInt(STATEMENTS.size()));
            var segments = Lexer.segments(before + "  %magic a b\n" + after);
            assertThat(segments)
                    .as(before)
                    .contains(new Segment.Java(after, before.length() + 13))
                    .filteredOn(Segment.Magic.class::isInstance)
                    .singleElement()
                    .extracting(each -> ((Segment.Magic) each).arguments())
                    .isEqualTo("a b");
        }
    }
}
