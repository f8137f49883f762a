package org.meshbook.kernel.comm;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.protocol.Publication;
import org.meshbook.kernel.spi.Comm;

/// One conversation. Thread-safe.
final class OpenComm implements Comm {
    private final Conversations conversations;
    private final long order;
    private final String id;
    private final String target;
    private final Consumer<Publication> opener;
    private volatile @Nullable Consumer<Message> listener;
    private volatile @Nullable Consumer<Message> closeListener;

    /// @param order by age
    /// @param opener voice of the cell or the request that opened it
    OpenComm(
            Conversations conversations,
            long order,
            String id,
            String target,
            Consumer<Publication> opener) {
        this.conversations = conversations;
        this.order = order;
        this.id = id;
        this.target = target;
        this.opener = opener;
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public String target() {
        return target;
    }

    long order() {
        return order;
    }

    Consumer<Publication> opener() {
        return opener;
    }

    @Nullable Consumer<Message> listener() {
        return listener;
    }

    @Nullable Consumer<Message> closeListener() {
        return closeListener;
    }

    @Override
    public void send(Message message) {
        conversations.send(this, message);
    }

    @Override
    public void onMessage(Consumer<Message> listener) {
        this.listener = listener;
    }

    @Override
    public void onClose(Consumer<Message> listener) {
        this.closeListener = listener;
    }

    @Override
    public void close(Message last) {
        conversations.close(this, last);
    }
}
