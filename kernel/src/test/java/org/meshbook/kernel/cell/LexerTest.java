package org.meshbook.kernel.cell;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.stream.Collectors;

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
}
