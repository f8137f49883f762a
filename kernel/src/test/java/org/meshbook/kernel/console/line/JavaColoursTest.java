package org.meshbook.kernel.console.line;

import static org.assertj.core.api.Assertions.assertThat;

import org.jline.utils.AttributedStyle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JavaColoursTest {
    private static AttributedStyle style(String code, String word) {
        return JavaColours.colour(code, -1).styleAt(code.indexOf(word));
    }

    @Test
    void keywordsTypesNumbersAndStringsDiffer() {
        var code = "public record Point(int x) { String s = \"a\"; int n = 42; }";
        assertThat(style(code, "public"))
                .isEqualTo(style(code, "record"))
                .isEqualTo(style(code, "int x"));
        assertThat(style(code, "Point")).isEqualTo(style(code, "String"));
        var styles =
                new AttributedStyle[] {
                    style(code, "public"),
                    style(code, "Point"),
                    style(code, "\"a"),
                    style(code, "42"),
                    style(code, "x)")
                };
        assertThat(styles).doesNotHaveDuplicates();
    }

    @Test
    void commentsEndStringsAndStringsEndComments() {
        var code = "var s = \"// not a comment\"; // \"not a string\"";
        assertThat(style(code, "not a comment")).isEqualTo(style(code, "\"//"));
        assertThat(style(code, "not a string")).isEqualTo(style(code, "// \"not"));
        assertThat(style(code, "not a comment")).isNotEqualTo(style(code, "not a string"));
    }

    @Test
    void aTextBlockIsOneString() {
        var code = "var t = \"\"\"\n  int \"x\" // y\n  \"\"\"; int z;";
        assertThat(style(code, "int \"x"))
                .isEqualTo(style(code, "// y"))
                .isEqualTo(style(code, "\"\"\""));
        assertThat(style(code, "int z")).isNotEqualTo(style(code, "// y"));
    }

    @Test
    void aMagicStandsAtTheStartOfALine() {
        var code = "%slices 4\nint a = 7 % b;";
        assertThat(style(code, "%slices")).isNotEqualTo(AttributedStyle.DEFAULT);
        assertThat(style(code, "% b")).isEqualTo(AttributedStyle.DEFAULT);
    }

    @Test
    void theBracketAtTheCursorAndItsPartnerAreMarked() {
        var code = "f(g(\")\"), [1])";
        var coloured = JavaColours.colour(code, code.length());
        var marked = coloured.styleAt(code.length() - 1);
        assertThat(marked).isNotEqualTo(AttributedStyle.DEFAULT);
        assertThat(coloured.styleAt(1)).isEqualTo(marked);
        assertThat(coloured.styleAt(3)).isNotEqualTo(marked);
    }

    @Test
    void bracketsThatDoNotMatchAreNotMarked() {
        var coloured = JavaColours.colour("f(]", 3);
        assertThat(coloured.styleAt(1)).isEqualTo(AttributedStyle.DEFAULT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\"open",
                "'",
                "'\\",
                "\"\\",
                "\"\"\"\nopen \\",
                "/* open",
                "/*/",
                "@",
                "%",
                "%%",
                ")))",
                "a\tb\n\n  c",
                "int 変数 = \"😀\"; // 😀",
                "1.5e3f .5 0xFF_FFL 1_000"
            })
    void theTextStaysAsItIs(String code) {
        for (var cursor = -1; cursor <= code.length(); cursor++) {
            assertThat(JavaColours.colour(code, cursor).toString()).isEqualTo(code);
        }
    }
}
