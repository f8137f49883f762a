package org.meshbook.kernel.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class OutboundTest {
    private static final int ROOM_BYTES = 8 << 20;

    private final Outbound outbound = new Outbound();

    private static Outbound.Item.Message message(Channel channel, int bytes) {
        var nothing = new byte[0];
        return new Outbound.Item.Message(
                channel,
                new Envelope(List.of(), nothing, nothing, nothing, new byte[bytes], List.of()));
    }

    @Test
    void controlOvertakesAndTheRestKeepsItsOrder() {
        var first = message(Channel.IOPUB, 1);
        var second = new Outbound.Item.CatchUp(() -> {});
        var urgent = message(Channel.CONTROL, 1);
        outbound.add(first);
        outbound.add(second);
        outbound.add(urgent);
        assertThat(outbound.pollUrgent()).isSameAs(urgent);
        assertThat(outbound.pollUrgent()).isNull();
        assertThat(outbound.peekOrdered()).isSameAs(first);
        assertThat(outbound.peekOrdered()).isSameAs(first);
        outbound.sent();
        assertThat(outbound.peekOrdered()).isSameAs(second);
        outbound.sent();
        assertThat(outbound.peekOrdered()).isNull();
    }

    @Test
    void aMessageWeighsAllOfItsParts() {
        var envelope =
                new Envelope(
                        List.of(),
                        new byte[1],
                        new byte[20],
                        new byte[300],
                        new byte[4_000],
                        List.of(new byte[50_000], new byte[600_000]));
        assertThat(envelope.sizeBytes()).isEqualTo(654_321);
    }

    @Test
    void outputWaitsForRoomAndGoesOnWhenSomethingIsSent() throws InterruptedException {
        outbound.add(message(Channel.IOPUB, ROOM_BYTES - 1));
        outbound.awaitRoom();
        outbound.add(message(Channel.IOPUB, 1));
        var through = new CountDownLatch(1);
        var waiter = waiting(through);
        await().until(() -> waiter.getState() == Thread.State.WAITING);
        assertThat(through.getCount()).isOne();
        outbound.sent();
        through.await();
    }

    @Test
    void closingLetsOutputThatWaitsGoOn() throws InterruptedException {
        outbound.add(message(Channel.IOPUB, ROOM_BYTES));
        var through = new CountDownLatch(1);
        var waiter = waiting(through);
        await().until(() -> waiter.getState() == Thread.State.WAITING);
        outbound.close();
        through.await();
        outbound.add(message(Channel.CONTROL, 1));
        assertThat(outbound.pollUrgent()).isNull();
    }

    private Thread waiting(CountDownLatch through) {
        return Thread.ofPlatform()
                .start(
                        () -> {
                            try {
                                outbound.awaitRoom();
                                through.countDown();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                        });
    }
}
