package org.meshbook.kernel.cell;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class DeadlinesTest {
    private static final Duration LONG = Duration.ofHours(1);

    @Test
    void somethingIsDoneWhenTheTimeIsOver() throws Exception {
        var by = new CompletableFuture<Thread>();
        try (var _ = Deadlines.after(Duration.ofNanos(1), () -> by.complete(current()))) {
            var thread = by.get(20, TimeUnit.SECONDS);
            assertThat(thread.getName()).isEqualTo("meshbook-deadlines");
            assertThat(thread.isDaemon()).isTrue();
            assertThat(thread.getThreadGroup().getParent()).as("of no cell").isNull();
        }
    }

    private static Thread current() {
        return Thread.currentThread();
    }

    @Test
    void whatIsTakenBackIsNotDone() {
        var deadline = Deadlines.after(LONG, () -> {});
        var future = Objects.requireNonNull(deadline.future());
        assertThat(future.isDone()).isFalse();
        deadline.close();
        assertThat(future.isCancelled()).isTrue();
    }

    @Test
    void zeroIsNever() {
        try (var never = Deadlines.after(Duration.ZERO, () -> {})) {
            assertThat((Object) never.future()).isNull();
        }
    }

    @Test
    void theTimeIsTheOneThatWasGiven() {
        try (var deadline = Deadlines.after(LONG, () -> {})) {
            var future = Objects.requireNonNull(deadline.future());
            assertThat(future.getDelay(TimeUnit.MINUTES)).isEqualTo(59);
        }
    }
}
