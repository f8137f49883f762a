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
                    int a; %x                    | J
                    %                            | J
                    %%                           | J
                    int a = 1;~class B { }~%x    | J x()
                    a == new A() { }~%x          | J x()
                    a != new A() { }~%x          | J x()
                    a >= new A() { }~%x          | J x()
                    a <= new A() { }~%x          | J x()
                    a = new A() { }~%x           | J
                    int a = 1 / 2;~%x            | J x()
                    int a = 1;~/~%x              | J
                    /* note~%x                   | J
                    /*/~%x*/~%y                  | J y()
                    // note                      | J
                    var t = \"""~"~\""";~%x     | J x()
                    var t = \"""\"a~\""";~%x   | J x()
                    var a = %x b                 | J
                    var a = %x b~%y              | J y()
                    var a = %x b~int c;~%y       | J J y()
                    a = %%x                      | J
                    a == %x~%y                   | J
                    a += %x~%y                   | J
                    f(a = %x~%y                  | J
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

    @Test
    void aMagicWhoseValueIsAssignedBecomesACall() {
        var code = "var jars =\t %jars \"a\\b\"  ;\nint b;";
        var call = "org.meshbook.kernel.display.Display.magic(\"jars \\\"a\\\\b\\\"\");";
        assertThat(Lexer.segments(code))
                .containsExactly(
                        new Segment.Java("var jars =\t " + call, 0),
                        new Segment.Java("\nint b;", code.indexOf('\n')));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    int a = %x y;~b  | int a = 0;   ~b
                    a = %x           | a = 0;
                    a = %x~b = %xyz  | a = 0;~b = 0;
                    int a = 1;~%x    | int a = 1;~%x
                    """)
    void aMagicWhoseValueIsAssignedIsANumberToTheCompiler(String code, String java) {
        var text = code.replace('~', '\n');
        assertThat(Lexer.withoutValues(text)).hasSameSizeAs(text);
        assertThat(Lexer.withoutValues(text).stripTrailing()).isEqualTo(java.replace('~', '\n'));
    }

    @ParameterizedTest
    @CsvSource({"f(a[{, 3, 4", "f(a[0], 1, 1", "f(a), 0, -1", "'int[] a = {1, 2};', 0, -1"})
    void bracketsThatAreOpenAreFound(String code, int depth, int innermost) {
        assertThat(Lexer.depth(code)).isEqualTo(depth);
        assertThat(Lexer.open(code).orElse(-1)).isEqualTo(innermost);
    }

    @Test
    void aMagicKnowsWhetherItIsTheFirst() {
        assertThat(Lexer.segments("\n x?\ny?\n%z\n"))
                .containsExactly(
                        new Segment.Magic("pinfo", "x", "", false, true, 2),
                        new Segment.Magic("pinfo", "y", "", false, false, 5),
                        new Segment.Magic("z", "", "", false, false, 8));
        assertThat(Lexer.segments("int a;\ny?"))
                .last()
                .isEqualTo(new Segment.Magic("pinfo", "y", "", false, false, 7));
        assertThat(Lexer.segments("// note\ny?"))
                .last()
                .isEqualTo(new Segment.Magic("pinfo", "y", "", false, false, 8));
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
