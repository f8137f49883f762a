package org.meshbook.kernel.jshell;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JavadocHtmlTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    a {@code List<T>} of                   | a <code>List&lt;T&gt;</code> of
                    see {@link java.util.List#of() lists}  | see <code>lists</code>
                    see {@linkplain #size()}               | see <code>size()</code>
                    see {@link Math#max}                   | see <code>Math.max</code>
                    {@summary the {@code sum}}             | the <code>sum</code>
                    x {@inheritDoc} y                      | x  y
                    <p class="big">one</p>                 | <p>one</p>
                    a <script>alert(1)</script>            | a alert(1)
                    <a href="x">there</a>                  | there
                    costs $1 and \\2                       | costs $1 and \\2
                    """)
    void commentBecomesPlainHtml(String comment, String html) {
        assertThat(JavadocHtml.of("int f()", comment))
                .isEqualTo("<pre><code>int f()</code></pre><div>" + html + "</div>");
    }

    @Test
    void blockTagsBecomeAList() {
        var comment =
                """
                Adds.

                @param a the first,
                    of two
                @param <T> a type
                @return the {@code sum}
                @throws ArithmeticException on overflow
                @jls 15.18
                """;
        assertThat(JavadocHtml.of("f", comment))
                .endsWith(
                        "<div>Adds.</div><dl><dt><code>a</code></dt><dd>the first,\n    of two</dd>"
                                + "<dt><code>&lt;T&gt;</code></dt><dd>a type</dd>"
                                + "<dt>returns</dt><dd>the <code>sum</code></dd>"
                                + "<dt>throws <code>ArithmeticException</code></dt><dd>on overflow"
                                + "</dd></dl>");
    }

    @Test
    void aSignatureAloneIsEscaped() {
        assertThat(JavadocHtml.of("<T> T f(List<T>)", ""))
                .isEqualTo("<pre><code>&lt;T&gt; T f(List&lt;T&gt;)</code></pre>");
    }
}
