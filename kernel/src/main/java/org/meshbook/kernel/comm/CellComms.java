package org.meshbook.kernel.comm;

import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.meshbook.kernel.protocol.Publication;
import org.meshbook.kernel.spi.Comm;
import org.meshbook.kernel.spi.Comms;

/// The kernel's conversations, as one cell or callback sees them.
///
/// @param conversations all of them
/// @param voice sends under that cell, after what it printed
record CellComms(Conversations conversations, Consumer<Publication> voice) implements Comms {
    @Override
    public Comm open(String target, Comm.Message first) {
        return conversations.open(target, first, voice);
    }

    @Override
    public void register(String target, BiConsumer<Comm, Comm.Message> opened) {
        conversations.register(target, opened);
    }

    @Override
    public void unregister(String target) {
        conversations.unregister(target);
    }

    @Override
    public Object kernel() {
        return conversations;
    }
}
