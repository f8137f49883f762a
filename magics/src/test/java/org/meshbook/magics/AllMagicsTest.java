package org.meshbook.magics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.meshbook.kernel.cell.CellOutcome;
import org.meshbook.kernel.spi.Extension;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.magics.daily.Session;

/// What holds for every magic of every extension, and for the kernel's own.
@Timeout(120)
class AllMagicsTest {
    /// Magics whose argument is any Java, any text or any command: nothing is absurd to them.
    private static final List<String> TAKE_ANYTHING = List.of("sh", "bash", "env", "help");

    private static final Pattern FLAG = Pattern.compile("(?<![\\w-])--?[a-z][a-z-]*");

    private static List<Extension> extensions;
    private static Session session;

    @BeforeAll
    static void open() {
        extensions = ServiceLoader.load(Extension.class).stream().map(p -> p.get()).toList();
        session = new Session(extensions);
    }

    @AfterAll
    static void close() {
        session.close();
    }

    private static List<Magic> magics() {
        var all = new ArrayList<Magic>();
        ServiceLoader.load(Extension.class).forEach(e -> all.addAll(e.magics()));
        return all;
    }

    private static Stream<DynamicTest> each(java.util.function.Consumer<Magic> check) {
        return magics().stream()
                .map(
                        magic ->
                                DynamicTest.dynamicTest(
                                        "%" + magic.name(), () -> check.accept(magic)));
    }

    @TestFactory
    Stream<DynamicTest> helpBeginsWithASentence() {
        return each(
                magic ->
                        assertThat(magic.help().lines().findFirst().orElse(""))
                                .matches("\\p{Lu}.{9,110}[.]"));
    }

    @TestFactory
    Stream<DynamicTest> helpShowsHowItIsTyped() {
        return each(magic -> assertThat(magic.help()).contains("%" + magic.name()));
    }

    @TestFactory
    Stream<DynamicTest> helpFitsAScreen() {
        return each(
                magic ->
                        assertThat(magic.help().lines())
                                .allSatisfy(line -> assertThat(line.length()).isLessThan(130)));
    }

    @TestFactory
    Stream<DynamicTest> groupIsNamed() {
        return each(
                magic ->
                        assertThat(magic.group())
                                .isIn(
                                        "Java",
                                        "display",
                                        "session",
                                        "files",
                                        "libraries",
                                        "slices",
                                        "jobs",
                                        "help"));
    }

    @TestFactory
    Stream<DynamicTest> flagsOfTheUsageAreCompleted() {
        return each(
                magic -> {
                    var flags =
                            magic.help()
                                    .lines()
                                    .filter(line -> line.matches("  --?[a-z].*"))
                                    .map(String::strip)
                                    .map(line -> line.replaceFirst("[ ,=].*", ""))
                                    .filter(flag -> FLAG.matcher(flag).matches())
                                    .toList();
                    var percents = magic.form() == Magic.Form.CELL ? "%%" : "%";
                    for (var flag : flags) {
                        assertThat(session.complete(percents + magic.name() + " " + flag))
                                .contains(flag);
                    }
                });
    }

    @TestFactory
    Stream<DynamicTest> absurdArgumentsGiveOneLine() {
        return each(
                magic -> {
                    if (TAKE_ANYTHING.contains(magic.name())) {
                        return;
                    }
                    var percents = magic.form() == Magic.Form.CELL ? "%%" : "%";
                    var ran = session.run(percents + magic.name() + " --absurd=\u0007 \"x\n");
                    assertThat(ran.outcome()).isInstanceOf(CellOutcome.Failed.class);
                    assertThat(ran.trace().getFirst()).hasSizeBetween(12, 400);
                    assertThat(ran.trace()).noneMatch(line -> line.contains("org.meshbook"));
                    if (!magic.name().startsWith("time")) {
                        // Wrong Java has its place below.
                        assertThat(ran.trace()).hasSize(1);
                    }
                });
    }

    @Test
    void helpListsThemAll() {
        var list = session.run("%help").shown();
        magics().forEach(magic -> assertThat(list).contains("%" + magic.name()));
        assertThat(list.lines()).allMatch(line -> line.length() < 150);
    }

    @Test
    void nearMatchesHaveTheirPercents() {
        assertThat(session.run("%tmie 1").error()).contains("did you mean %time");
        assertThat(session.run("%htlm x").error()).contains("did you mean %%html?");
        assertThat(session.run("%%writefiel x\ny").error()).contains("did you mean %%writefile?");
    }
}
