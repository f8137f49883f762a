package org.meshbook.kernel.cell;

import java.util.Optional;
import java.util.function.BiConsumer;
import org.meshbook.kernel.spi.Comm;
import org.meshbook.kernel.spi.Comms;
import org.meshbook.kernel.spi.DisplayData;

/// A terminal where nothing is replaced, that could hold conversations; what is shown is lost.
final class PlainTerminal implements CellOutput {
    static final Comms COMMS = new NoComms();

    @Override
    public void write(Stream stream, String text) {}

    @Override
    public void display(DisplayData data) {}

    @Override
    public void update(DisplayData data) {}

    @Override
    public void clear(boolean wait) {}

    @Override
    public String ask(String prompt, boolean password) {
        return "";
    }

    @Override
    public Optional<Comms> comms() {
        return Optional.of(COMMS);
    }

    @Override
    public boolean replaces() {
        return false;
    }

    private static final class NoComms implements Comms {
        @Override
        public Comm open(String target, Comm.Message first) {
            throw new UnsupportedOperationException(target);
        }

        @Override
        public void register(String target, BiConsumer<Comm, Comm.Message> opened) {}

        @Override
        public void unregister(String target) {}
    }
}
