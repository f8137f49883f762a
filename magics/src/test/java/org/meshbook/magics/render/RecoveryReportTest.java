package org.meshbook.magics.render;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.meshbook.elastic.manager.ElasticEvent.Restored;
import org.meshbook.elastic.manager.Goodput;
import org.meshbook.elastic.manager.Recovery;
import org.meshbook.elastic.manager.Recovery.Phase;

class RecoveryReportTest {
    private static final Recovery LOSS =
            recovery(
                    false,
                    Map.of(
                            Phase.DETECT, Duration.ofMillis(100),
                            Phase.RESTORE, Duration.ofMillis(100),
                            Phase.REPLAY, Duration.ofMillis(200)));

    @Test
    void phasesLieBehindEachOtherOnOneLineOfTime() {
        assertThat(text(LOSS).lines().filter(line -> line.contains("█")))
                .containsExactly(
                        "detect   100 ms        -  -           ██████████",
                        "restore  100 ms  191 MiB  1.86 GiB/s            ██████████",
                        "replay   200 ms        -  -                              "
                                + " ████████████████████");
    }

    @Test
    void itSaysWhatHappenedWhatWasReadAndWhatWasNotTaken() {
        assertThat(text(LOSS))
                .startsWith(
                        "slice 2 lost: killed\n"
                                + "after step 130, 4 → 3 slices, back where it was after 400 ms, 5"
                                + " steps were done again")
                .endsWith(
                        "restored step 125 (200.0 MB) from the local tier on slice 1\n"
                                + "not taken: step 128 of the peer: a shard's checksum differs");
        var html = String.valueOf(RecoveryReport.of(LOSS).bundle().get("text/html"));
        assertThat(html)
                .contains("<b>slice 2 lost: killed</b>", "a shard's checksum differs")
                .contains("margin-left:50.0%;width:50.0%")
                .doesNotContain("<svg");
    }

    @Test
    void growthMovesItsBytesAndRepeatsNothing() {
        var growth = recovery(true, Map.of(Phase.REMESH, Duration.ofSeconds(2)));
        assertThat(text(growth))
                .contains("in use after 2 s, no step was repeated")
                .contains("re-mesh   2 s  191 MiB");
        assertThat(text(growth)).contains("95.4 MiB/s");
    }

    @Test
    void goodputIsATableWithTheUseOfSlicesBelow() {
        var goodput =
                new Goodput(
                        Duration.ofSeconds(100),
                        Duration.ofSeconds(5),
                        Map.of(Phase.REPLAY, Duration.ofSeconds(10)),
                        Duration.ofSeconds(5),
                        0.875,
                        0.9);
        assertThat(goodput.share()).isEqualTo(0.8);
        var data = RecoveryReport.of(goodput);
        assertThat(String.valueOf(data.bundle().get("text/plain")))
                .contains("steps", "1m20s", "80.0 %")
                .endsWith(
                        "87.5 % of the slices were in use while steps were made; 90.0 % were"
                                + " healthy");
        assertThat(String.valueOf(data.bundle().get("text/html"))).contains("<table>", "87.5 %");
    }

    private static String text(Recovery recovery) {
        return String.valueOf(RecoveryReport.of(recovery).bundle().get("text/plain"));
    }

    private static Recovery recovery(boolean growth, Map<Phase, Duration> phases) {
        return new Recovery(
                growth ? Recovery.Change.GREW : Recovery.Change.LOST,
                Set.of(2),
                130,
                growth ? 3 : 4,
                growth ? 4 : 3,
                phases,
                growth ? 0 : 5,
                200_000_000,
                true,
                Duration.ZERO,
                growth ? "slice 2 is back" : "slice 2 lost: killed",
                growth
                        ? List.of()
                        : List.of(
                                new Restored(
                                        Instant.EPOCH,
                                        125,
                                        Set.of(1),
                                        200_000_000,
                                        "local tier",
                                        List.of(
                                                "step 128 of the peer: a shard's checksum"
                                                        + " differs"))));
    }
}
