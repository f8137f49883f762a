package org.meshbook.cluster.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/// Interruptions, and the times around them.
class UptimeTest {
    private static final Instant START = Instant.parse("2026-12-01T00:00:00Z");
    private final Uptime uptime = new Uptime();

    private static Instant at(long seconds) {
        return START.plusSeconds(seconds);
    }

    private String written(Histogram histogram) {
        var out = new Exposition();
        histogram.write(out, "h", Exposition.labels());
        return out.toString();
    }

    @Test
    void startIsNoInterruption() {
        uptime.see(false, at(0));
        uptime.see(true, at(5));

        assertThat(uptime.interruptions()).isZero();
        assertThat(uptime.total(at(15))).isEqualTo(Duration.ofSeconds(10));
        assertThat(written(uptime.recoveries)).contains("h_count 0");
    }

    @Test
    void recoveryIsTheTimeFromTheInterruptionUntilUpAgain() {
        uptime.see(true, at(0));
        uptime.see(false, at(100));
        uptime.see(true, at(107));

        assertThat(uptime.interruptions()).isEqualTo(1);
        assertThat(written(uptime.recoveries))
                .contains(
                        "h_sum 7\n", "h_count 1", "h_bucket{le=\"5\"} 0", "h_bucket{le=\"10\"} 1");
        assertThat(uptime.total(at(110))).isEqualTo(Duration.ofSeconds(103));
    }

    @Test
    void timeBetweenInterruptionsBeginsWhenTheEarlierOneIsOver() {
        uptime.see(true, at(0));
        uptime.see(false, at(100));
        assertThat(written(uptime.between)).contains("h_count 0");
        uptime.see(true, at(110));
        uptime.see(false, at(410));

        assertThat(written(uptime.between)).contains("h_sum 300\n", "h_count 1");
    }

    @Test
    void endIsNoInterruptionAndStopsTheUptime() {
        uptime.see(true, at(0));
        uptime.end(at(60));
        uptime.see(false, at(61));

        assertThat(uptime.interruptions()).isZero();
        assertThat(uptime.total(at(1000))).isEqualTo(Duration.ofSeconds(60));
    }

    @Test
    void sameStateTwiceChangesNothing() {
        uptime.see(true, at(0));
        uptime.see(true, at(50));

        assertThat(uptime.total(at(60))).isEqualTo(Duration.ofSeconds(60));
    }
}
