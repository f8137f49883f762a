package org.meshbook.kernel.cell;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.meshbook.kernel.cell.CellOutput.Stream;
import org.meshbook.kernel.config.Settings;
import org.meshbook.kernel.spi.DisplayData;

/// What a cell may put out before its output is cut.
class CappedOutputTest {
    private static final String CUT =
            "[output is cut here: the cell has put out %s; it goes on, and the rest is not shown;"
                    + " %%config %s=... changes that]\n";

    private final Settings settings = new Settings();
    private final Recorded target = new Recorded("answer");
    private final CappedOutput output = new CappedOutput(target, settings);

    private void limit(String setting, String value) {
        settings.find(setting).orElseThrow().set(value);
    }

    private void print(String text) {
        output.write(Stream.STDOUT, text);
    }

    @Test
    void whatFitsGoesThroughOnItsStream() {
        limit("output.lines", "3");
        limit("output.limit", "7");
        print("a\nb\n");
        output.write(Stream.STDERR, "cd\n");
        assertThat(target.out()).isEqualTo("a\nb\n");
        assertThat(target.err()).isEqualTo("cd\n");
    }

    @Test
    void linesBeyondTheLimitAreCutAndItIsSaidOnce() {
        limit("output.lines", "3");
        print("\n22\n");
        print("33\n44\n55\n");
        print("66\n");
        assertThat(target.out()).isEqualTo("\n22\n33\n");
        assertThat(target.err()).isEqualTo(CUT.formatted("3 lines", "output.lines"));
    }

    @Test
    void afterTheLastLineNotEvenAPieceOfOneFits() {
        limit("output.lines", "2");
        print("1\n2\n");
        print("3");
        assertThat(target.out()).isEqualTo("1\n2\n");
        assertThat(target.err()).isEqualTo(CUT.formatted("2 lines", "output.lines"));
    }

    @Test
    void aTextIsCutWhereTheSizeEnds() {
        limit("output.limit", "10");
        print("12345");
        print("67890abc");
        print("d");
        assertThat(target.out()).isEqualTo("1234567890\n");
        assertThat(target.err()).isEqualTo(CUT.formatted("10B", "output.limit"));
    }

    @Test
    void aCutAtTheEndOfALineAddsNone() {
        limit("output.limit", "4");
        print("123\n567\n");
        assertThat(target.out()).isEqualTo("123\n");
    }

    @Test
    void aCharacterIsNeverCutInTwo() {
        limit("output.limit", "3");
        print("12\uD83D\uDC0E");
        assertThat(target.out()).isEqualTo("12\n");
    }

    @Test
    void aWholeCharacterAtTheCutStays() {
        limit("output.limit", "4");
        print("12\uD83D\uDC0E3");
        assertThat(target.out()).isEqualTo("12\uD83D\uDC0E\n");
    }

    @Test
    void whatTheCutLeavesIsCounted() {
        limit("output.limit", "4");
        limit("output.lines", "10");
        print("12345\n");
        limit("output.limit", "9");
        print("6789");
        assertThat(target.out()).isEqualTo("1234\n6789");
        print("012");
        assertThat(target.out()).isEqualTo("1234\n67890\n");
        assertThat(target.err().lines()).hasSize(2);
    }

    @Test
    void linesThatTheCutLeavesAreCounted() {
        limit("output.lines", "2");
        print("1\n2\n3\n");
        limit("output.lines", "4");
        print("3\n4\n");
        print("5\n");
        assertThat(target.out()).isEqualTo("1\n2\n3\n4\n");
    }

    @Test
    void aDisplayWeighsAsFiftyLines() {
        limit("output.lines", "100");
        var picture = DisplayData.text("<plot>");
        output.display(picture);
        output.display(picture);
        output.display(picture);
        output.display(picture);
        assertThat(target.displays).hasSize(2);
        assertThat(target.err()).isEqualTo(CUT.formatted("100 lines", "output.lines"));
    }

    @Test
    void clearingBeginsAnew() {
        limit("output.lines", "1");
        print("1\n2\n");
        output.clear(true);
        print("3\n4\n");
        assertThat(target.clears).containsExactly(true);
        assertThat(target.out()).isEqualTo("1\n3\n");
        assertThat(target.err().lines()).hasSize(2);
    }

    @Test
    void clearingMakesRoomForCharacters() {
        limit("output.limit", "3");
        print("123");
        output.clear(false);
        print("456");
        assertThat(target.out()).isEqualTo("123456");
        assertThat(target.clears).containsExactly(false);
    }

    @Test
    void updatesAndOurOwnWordsAreNeverCut() {
        limit("output.lines", "1");
        print("1\n2\n");
        output.update(DisplayData.text("new").withId("a"));
        output.always("warned\n");
        assertThat(target.updates).hasSize(1);
        assertThat(target.err()).endsWith("warned\n");
    }

    @Test
    void questionsAndConversationsAreThoseOfTheTarget() throws IOException, InterruptedException {
        assertThat(output.ask("name?", false)).isEqualTo("answer");
        assertThat(output.replaces()).isTrue();
        assertThat(output.comms()).isEmpty();
        var plain = new CappedOutput(new PlainTerminal(), settings);
        assertThat(plain.replaces()).isFalse();
        assertThat(plain.comms()).containsSame(PlainTerminal.COMMS);
    }
}
