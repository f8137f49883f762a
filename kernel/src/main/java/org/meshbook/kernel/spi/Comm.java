package org.meshbook.kernel.spi;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// One conversation between an object here and its counterpart in the front end, as a widget has.
/// Thread-safe.
public interface Comm {
    /// @return its id
    String id();

    /// @return the name that says what kind of counterpart it has, as `jupyter.widget`
    String target();

    /// Sends a message to the counterpart; no-op once it is closed.
    ///
    /// @param message what to send
    void send(Message message);

    /// @param listener called for each message of the counterpart, as a cell's code is: it may be
    ///   interrupted, and what it prints is shown. Replaces the one before.
    void onMessage(Consumer<Message> listener);

    /// @param listener called once when the counterpart closes. Replaces the one before.
    void onClose(Consumer<Message> listener);

    /// Ends it; no-op if it has ended.
    ///
    /// @param last goes with the end
    void close(Message last);

    /// What is sent either way.
    ///
    /// @param data a JSON-like tree of maps, lists and scalars
    /// @param metadata another one
    /// @param buffers binary parts
    record Message(Map<String, Object> data, Map<String, Object> metadata, List<byte[]> buffers) {
        public Message {
            buffers = List.copyOf(buffers);
        }

        /// @param data a JSON-like tree
        /// @return a message of it alone
        public static Message of(Map<String, Object> data) {
            return new Message(data, Map.of(), List.of());
        }
    }
}
