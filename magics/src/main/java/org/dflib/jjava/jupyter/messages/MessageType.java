package org.dflib.jjava.jupyter.messages;

import java.util.Set;

/// A kind of message, by its name.
public class MessageType<T> {
    public static final MessageType<Object> UNKNOWN = new MessageType<>("none");

    private static final Set<String> KNOWN =
            Set.of(
                    "execute_request",
                    "inspect_request",
                    "complete_request",
                    "history_request",
                    "is_complete_request",
                    "comm_info_request",
                    "kernel_info_request",
                    "shutdown_request",
                    "interrupt_request",
                    "execute_reply",
                    "inspect_reply",
                    "complete_reply",
                    "history_reply",
                    "is_complete_reply",
                    "comm_info_reply",
                    "kernel_info_reply",
                    "shutdown_reply",
                    "interrupt_reply",
                    "stream",
                    "display_data",
                    "update_display_data",
                    "execute_input",
                    "execute_result",
                    "error",
                    "status",
                    "clear_output",
                    "input_request",
                    "input_reply",
                    "comm_open",
                    "comm_msg",
                    "comm_close");

    private final String name;

    private MessageType(String name) {
        this.name = name;
    }

    /// @param name as it stands in a header
    /// @return that kind, or [#UNKNOWN]
    public static MessageType<?> getType(String name) {
        return KNOWN.contains(name) ? new MessageType<>(name) : UNKNOWN;
    }

    public String getName() {
        return name;
    }

    @Override
    public String toString() {
        return name;
    }
}
