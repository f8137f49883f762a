package org.meshbook.kernel.session;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.protocol.Publication;

/// Says on iopub when a request is begun and done. Thread-safe.
///
/// Servers and front ends take the last status for the kernel's, whatever it belongs to; a server
/// may end a kernel that is idle for long. So when something else is done while a cell of the main
/// shell runs, that cell says again that it is busy. What they do not heed, they do not mistake.
final class Statuses {
    private static final Set<String> UNHEEDED =
            Set.of(
                    "kernel_info_request",
                    "comm_info_request",
                    "interrupt_request",
                    "shutdown_request",
                    "debug_request");

    private final Outbox outbox;
    private @Nullable Parent cell;

    Statuses(Outbox outbox) {
        this.outbox = outbox;
    }

    synchronized void busy(Parent parent) {
        outbox.publish(parent, Publication.Status.BUSY);
        var header = parent.header();
        if (header.type().equals("execute_request") && header.subshell().isEmpty()) {
            cell = parent;
        }
    }

    synchronized void idle(Parent parent) {
        outbox.publish(parent, Publication.Status.IDLE);
        var running = cell;
        if (running == parent) {
            cell = null;
        } else if (running != null && !UNHEEDED.contains(parent.header().type())) {
            outbox.publish(running, Publication.Status.BUSY);
        }
    }
}
