package org.meshbook.kernel.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.text.MessageFormat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What is said of messages that were dropped.
class DropsTest {
    private final List<String> lines = new ArrayList<>();
    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
    private final Drops drops = new Drops(new Lines(), now::get);

    private final class Lines implements System.Logger {
        @Override
        public String getName() {
            return "lines";
        }

        @Override
        public boolean isLoggable(Level level) {
            return true;
        }

        @Override
        public void log(
                Level level, @Nullable ResourceBundle bundle, String text, Throwable thrown) {
            lines.add(text);
        }

        @Override
        public void log(
                Level level, @Nullable ResourceBundle bundle, String format, Object... values) {
            lines.add(level + " " + MessageFormat.format(format, values));
        }
    }

    private void later(Duration time) {
        now.addAndGet(time.toNanos());
    }

    @Test
    void theFirstOfAKindIsSaidAtOnceAndTheRestAreCounted() {
        drops.add(Channel.SHELL, "cut", "cut after 3");
        drops.add(Channel.SHELL, "cut", "cut after 4");
        later(Duration.ofSeconds(9));
        drops.add(Channel.SHELL, "cut", "cut after 5");
        assertThat(lines).containsExactly("WARNING channel=SHELL dropped a message: cut after 3");
        later(Duration.ofSeconds(1));
        drops.add(Channel.SHELL, "cut", "cut after 6");
        assertThat(lines)
                .last()
                .isEqualTo("WARNING channel=SHELL dropped a message: cut after 6 (and 2 before)");
        later(Duration.ofSeconds(11));
        drops.add(Channel.SHELL, "cut", "cut after 7");
        assertThat(lines).hasSize(3).last().asString().endsWith("cut after 7");
    }

    @Test
    void eachKindOnEachChannelIsSaidForItself() {
        drops.add(Channel.SHELL, "a", "a");
        drops.add(Channel.SHELL, "b", "b");
        drops.add(Channel.STDIN, "a", "c");
        assertThat(lines).hasSize(3);
    }

    @Test
    void aPeerWhoInventsKindsIsNotRememberedForEver() {
        for (var kind = 0; kind < 64; kind++) {
            drops.add(Channel.SHELL, "kind" + kind, "");
        }
        drops.add(Channel.SHELL, "kind0", "still known");
        assertThat(lines).hasSize(64);
        drops.add(Channel.SHELL, "kind64", "");
        drops.add(Channel.SHELL, "kind0", "forgotten");
        assertThat(lines).hasSize(66).last().asString().endsWith("forgotten");
    }

    @Test
    void theKindOfAFaultIsItsMessageWithoutNumbers() {
        assertThat(new BadFrames("cut short after 14 frames").kind())
                .isEqualTo("cut short after  frames");
    }
}
