package org.meshbook.kernel.cell;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.meshbook.kernel.jshell.Match;

@Tag("jshell")
@Timeout(180)
class CompletionTest {
    private static Cells cells;

    @BeforeAll
    static void open() {
        cells = new Cells();
        cells.run("String known = \"k\"; record Point(int left, int right) { }");
        cells.run("int twice(int n) { return 2 * n; } @interface Overheard { }");
    }

    @AfterAll
    static void close() {
        cells.close();
    }

    /// The cursor is at `^`, or at the end; `~` is a new line.
    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    var word = "a";~int n = 1;~word.subs                           | substring(
                    int zip(int a) { return a; }~zi                                | zip(
                    String say() { return "a"; }~say().subs                        | substring(
                    record Pair(int first, int second) { }~var p = new Pair(1, 2);~p.fir | first()
                    class Box { int lid; int open() { return l                     | lid
                    class Box { int lid; }~class Car { Box b = new Box(); int f() { return b.l | lid
                    enum Hue { RED, BLUE }~Hue.R                                   | RED
                    import java.util.zip.*;~new CRC32().upd                        | update(
                    import java.util.zip.CRC32;~CRC3                               | CRC32
                    import java.util.zip.*;~Adler                                  | Adler32
                    import static java.lang.Math.*;~hypo                           | hypot(
                    import java.awt.image.BufferedImage;~int a = 1;~BufferedImage.TYPE_INT_A | TYPE_INT_ARGB
                    %help~var s = "a";~s.subs                                      | substring(
                    for (int index = 0; index < 3; index++) {~  ind                | index
                    for (var each : List.of("a")) { each.subs                      | substring(
                    List.of("a").forEach(text -> { text.subs                       | substring(
                    List.of("a").stream().map(x -> x.strip()).filter(y -> y.subs   | substring(
                    new Object() { int inside; void run() { insi                   | inside
                    Runnable r = () -> { var local = "b"; local.subs               | substring(
                    var m = new HashMap<String, Point>();~m.get("a").le            | left()
                    var a = new Point(1, 2);~a.lef^t() + 1                         | left()
                    int b = 1;~known.su^                                           | substring(
                    known.subs^tring(1);~int c = 4;                                | substring(
                    "🐎🐎"; known.subs                                             | substring(
                    try { known.subs                                               | substring(
                    if (known.isEmpty()) { } else { known.subs                     | substring(
                    int f(String given) { return giv                               | given
                    int f(String given) { var mine = given; return mine.len        | length()
                    class Deep { class Er { String t; void go() { t.subs           | substring(
                    import java.ut                                                 | util.
                    import java.util.conc                                          | concurrent.
                    import java.util.regex.Patt                                    | Pattern
                    import static java.lang.Math.hyp                               | hypot
                    import module java.sq                                          | java.sql
                    java.util.reg                                                  | regex.
                    @Overr                                                         | Override
                    @Over                                                          | Overheard
                    class A {~  @Overr                                             | Override
                    new ArrayLi                                                    | ArrayList(
                    List<Str                                                       | String
                    Map<String, List<Poi                                           | Point
                    List.of(1).stream().map(String::valu                           | valueOf
                    Thread.State.BLO                                               | BLOCKED
                    int x = twi                                                    | twice(
                    known.length() > 3 && know                                     | known
                    switch (known) { case "a" -> known.subs                        | substring(
                    retur                                                          | return
                    sync                                                           | synchronized
                    """)
    void completes(String code, String match) {
        var text = code.replace('~', '\n');
        var cursor = text.indexOf('^') < 0 ? text.length() : text.indexOf('^');
        text = text.replace("^", "");
        var completion = cells.engine().complete(text, cursor);
        assertThat(completion.matches()).contains(match);
        assertThat(completion.end()).isEqualTo(cursor);
        assertThat(match).startsWith(text.substring(completion.start(), cursor));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"known.subs",
                "// known.subs",
                "/* known.subs",
                "var a = 'k",
                "var t = \"\"\"\n known.subs",
                "nosuch.",
                "int a = 1;\nvar b = \"know"
            })
    void completesNothing(String code) {
        assertThat(cells.engine().complete(code, code.length()).matches()).isEmpty();
    }

    @Test
    void anEmptyCellOffersWhatIsDeclared() {
        assertThat(cells.engine().complete("", 0).matches()).contains("known", "twice(", "Point");
        assertThat(cells.engine().complete("int mine = 1;\n", 14).matches())
                .contains("mine", "known");
    }

    @ParameterizedTest(name = "{0} -> {1} is a {2}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    known.subs          | substring( | FUNCTION
                    know                | known      | VARIABLE
                    Poin                | Point      | CLASS
                    twic                | twice(     | FUNCTION
                    retur               | return     | KEYWORD
                    import java.ut      | util.      | MODULE
                    new ArrayLis        | ArrayList( | CLASS
                    %hel                | help       | MAGIC
                    Integer.MAX_V       | MAX_VALUE  | VARIABLE
                    """)
    void aMatchHasAKind(String code, String match, Match.Kind kind) {
        assertThat(cells.engine().complete(code, code.length()).found())
                .anySatisfy(
                        found -> {
                            assertThat(found.text()).isEqualTo(match);
                            assertThat(found.kind()).isEqualTo(kind);
                        });
    }

    @Test
    void aMethodHasASignature() {
        assertThat(cells.engine().complete("twic", 4).found())
                .contains(new Match("twice(", Match.Kind.FUNCTION, "(int n) -> int"));
    }

    /// Real Java, cut anywhere.
    @Test
    void anyTextAndAnyCursorAreAnswered() throws IOException {
        var random = new Random(42);
        var own =
                Path.of(
                        "src/test/java",
                        CompletionTest.class.getName().replace('.', '/') + ".java");
        var source = Files.readString(own);
        for (var i = 0; i < 30; i++) {
            var from = random.nextInt(source.length());
            var text = source.substring(from, Math.min(source.length(), from + 400));
            var cursor = random.nextInt(text.length() + 1);
            var completion = cells.engine().complete(text, cursor);
            assertThat(completion.start()).isBetween(0, completion.end());
            assertThat(completion.end()).isEqualTo(cursor);
            var unused = cells.engine().inspect(text, cursor, 0);
            assertThat(cells.engine().completeness(text).status()).isNotBlank();
        }
    }
}
