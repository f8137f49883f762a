package org.meshbook.kernel.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.meshbook.kernel.display.CurrentScope;
import org.meshbook.kernel.jshell.CellStopped;
import org.meshbook.kernel.jshell.Guard;

/// The code of a value that is shown, which may never end.
@Timeout(30)
class BriefTest {
    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration SHORT = Duration.ofMillis(1);

    private final Recorded output = new Recorded("answer");
    private final RunningCell cell = new BareHost().cell("", 1, output);

    @AfterEach
    void sweep() {
        Guard.sweep();
        var unused = Thread.interrupted();
    }

    private String within(Duration limit, Supplier<String> work) {
        return CurrentScope.within(cell, () -> Brief.within(cell, limit, work));
    }

    private static Brief current() {
        return (Brief) java.util.Objects.requireNonNull(CurrentScope.find());
    }

    /// Waits until somebody interrupts.
    private static String forEver() {
        try {
            new CountDownLatch(1).await();
            return "never";
        } catch (InterruptedException e) {
            return "interrupted";
        }
    }

    @Test
    void aValueThatIsShownInTimeIsNotDisturbed() {
        var seen =
                within(
                        LONG,
                        () -> {
                            assertThat(current().cell()).isSameAs(cell);
                            assertThat(current().stops()).isFalse();
                            assertThat(current().isOver()).isFalse();
                            return "shown";
                        });
        assertThat(seen).isEqualTo("shown");
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void codeThatDoesNotEndIsStoppedAndTheCellGoesOn() {
        var brief = new Brief[1];
        var seen =
                within(
                        SHORT,
                        () -> {
                            brief[0] = current();
                            var ended = forEver();
                            assertThat(current().stops()).isTrue();
                            assertThatThrownBy(Guard::check).isInstanceOf(CellStopped.class);
                            return ended;
                        });
        assertThat(seen).isEqualTo("interrupted");
        assertThat(brief[0].isOver()).isTrue();
        assertThat(cell.stops()).isFalse();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void anInterruptThatWasNotTakenIsNotLeftToTheCell() {
        within(
                SHORT,
                () -> {
                    while (!Thread.currentThread().isInterrupted()) {
                        Thread.onSpinWait();
                    }
                    return "";
                });
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void whoeverStopsTheCellStopsItStill() {
        within(
                SHORT,
                () -> {
                    while (!Thread.currentThread().isInterrupted()) {
                        Thread.onSpinWait();
                    }
                    cell.stop();
                    return "";
                });
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
    }

    @Test
    void onlyItsOwnThreadIsStopped() throws InterruptedException {
        var stops = new boolean[1];
        within(
                SHORT,
                () -> {
                    var ended = forEver();
                    var brief = current();
                    var other = new Thread(() -> stops[0] = brief.stops());
                    other.start();
                    try {
                        other.join();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    return ended;
                });
        assertThat(stops[0]).isFalse();
    }

    @Test
    void workOfNoCellHasNoLimit() {
        assertThat(Brief.within(cell, SHORT, () -> String.valueOf(CurrentScope.find())))
                .isEqualTo("null");
    }

    @Test
    void whatItShowsIsShownByTheCell() {
        within(
                LONG,
                () -> {
                    current().write(false, new byte[] {'x'}, 0, 1);
                    assertThat(current().ran("5")).isFalse();
                    return "";
                });
        assertThat(output.out()).isEqualTo("x");
    }
}
