package org.meshbook.elastic.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.meshbook.elastic.slices.LossKind;
import org.meshbook.elastic.slices.SliceLost;
import org.meshbook.elastic.transport.Fault;

class FailuresTest {
    private final LossBook losses = new LossBook(2);
    private final Failures failures = new Failures(losses, new Progress(), new Memory());

    private static Loss killed(int slice, String cause) {
        return new Loss(slice, LossKind.PROCESS_GONE, cause, Instant.EPOCH, 1, true);
    }

    private SliceLost failure(LossBook.Stamp stamp) {
        return (SliceLost) failures.of("w", stamp, Fault.lost(1, "link to slice 1 ended"));
    }

    @Test
    void anEarlierLossOfASliceThatCameBackIsNotBlamedForTheNextOne() {
        losses.joined(1);
        losses.lose(killed(1, "process 11 ended"));
        losses.joined(1);
        var stamp = losses.stamp(Set.of(0, 1));
        // The head has not said anything yet.
        assertThat(failure(stamp).kind()).isEqualTo(LossKind.UNCERTAIN);
        assertThat(failure(stamp)).hasMessageContaining("link to slice 1 ended");
        losses.lose(killed(1, "process 12 ended"));
        assertThat(failure(stamp)).hasMessageContaining("process 12 ended");
    }
}
