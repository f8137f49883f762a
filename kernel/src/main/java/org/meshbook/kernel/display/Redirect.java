package org.meshbook.kernel.display;

import org.meshbook.kernel.spi.DisplayData;

/// A cell whose output goes elsewhere: what is printed and shown goes to the sink, everything else
/// stays the cell's.
///
/// @param cell the cell that runs the code
/// @param sink takes its output
public record Redirect(Scope cell, Sink sink) implements Behalf {
    /// Where output goes. Thread-safe.
    public interface Sink {
        /// @param error stderr if true, else stdout
        /// @param bytes UTF-8 text, cut anywhere
        /// @param offset first byte
        /// @param length how many
        void write(boolean error, byte[] bytes, int offset, int length);

        /// @param data something new to show
        void display(DisplayData data);

        /// @param data replaces what was shown with the same id
        void update(DisplayData data);

        /// @param wait whether to wait with clearing until the next output
        void clear(boolean wait);
    }

    /// @param running runs the code
    /// @param shown its output appears where this one's does
    /// @return the first, with the output of the second
    public static Scope of(Scope running, Scope shown) {
        return new Redirect(
                running.cell(),
                new Sink() {
                    @Override
                    public void write(boolean error, byte[] bytes, int offset, int length) {
                        shown.write(error, bytes, offset, length);
                    }

                    @Override
                    public void display(DisplayData data) {
                        shown.display(data);
                    }

                    @Override
                    public void update(DisplayData data) {
                        shown.update(data);
                    }

                    @Override
                    public void clear(boolean wait) {
                        shown.clear(wait);
                    }
                });
    }

    @Override
    public void write(boolean error, byte[] bytes, int offset, int length) {
        sink.write(error, bytes, offset, length);
    }

    @Override
    public void display(DisplayData data) {
        sink.display(data);
    }

    @Override
    public void update(DisplayData data) {
        sink.update(data);
    }

    @Override
    public void clear(boolean wait) {
        sink.clear(wait);
    }

    /// The sink's place is a front end's own, which replaces.
    @Override
    public boolean replaces() {
        return true;
    }
}
