package org.meshbook.kernel.protocol;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What the kernel says on its own: on iopub to everyone who listens, and on stdin to one who can
/// answer.
public sealed interface Publication {
    /// @return the message's type, as `stream`
    String type();

    /// @return the message's content
    Map<String, Object> content();

    /// @return the message's metadata
    default Map<String, Object> metadata() {
        return Map.of();
    }

    /// @return binary parts that follow the message
    default List<byte[]> buffers() {
        return List.of();
    }

    /// The kernel is at work for a request, or done with it.
    ///
    /// @param state starting, busy or idle
    record Status(String state) implements Publication {
        /// At work.
        public static final Status BUSY = new Status("busy");

        /// Done.
        public static final Status IDLE = new Status("idle");

        /// Just bound.
        public static final Status STARTING = new Status("starting");

        @Override
        public String type() {
            return "status";
        }

        @Override
        public Map<String, Object> content() {
            return Json.object("execution_state", state);
        }
    }

    /// A cell starts.
    ///
    /// @param code its text
    /// @param count its number
    record ExecuteInput(String code, int count) implements Publication {
        @Override
        public String type() {
            return "execute_input";
        }

        @Override
        public Map<String, Object> content() {
            return Json.object("code", code, "execution_count", count);
        }
    }

    /// A cell printed.
    ///
    /// @param name stdout or stderr
    /// @param text as it was printed
    record Stream(String name, String text) implements Publication {
        @Override
        public String type() {
            return "stream";
        }

        @Override
        public Map<String, Object> content() {
            return Json.object("name", name, "text", text);
        }
    }

    /// A cell's last expression.
    ///
    /// @param count the cell's number
    /// @param bundle how it looks
    /// @param id by which it can be replaced later
    record ExecuteResult(int count, Bundle bundle, Optional<String> id) implements Publication {
        @Override
        public String type() {
            return "execute_result";
        }

        @Override
        public Map<String, Object> content() {
            var content = display(bundle, id);
            content.put("execution_count", count);
            return content;
        }
    }

    /// A cell shows something.
    ///
    /// @param bundle how it looks
    /// @param id by which it can be replaced later
    record Display(Bundle bundle, Optional<String> id) implements Publication {
        @Override
        public String type() {
            return "display_data";
        }

        @Override
        public Map<String, Object> content() {
            return display(bundle, id);
        }
    }

    /// A cell replaces what was shown.
    ///
    /// @param bundle how it looks now
    /// @param id of what it replaces
    record UpdateDisplay(Bundle bundle, String id) implements Publication {
        @Override
        public String type() {
            return "update_display_data";
        }

        @Override
        public Map<String, Object> content() {
            return display(bundle, Optional.of(id));
        }
    }

    /// A cell takes its output away.
    ///
    /// @param await whether only when the next output comes
    record ClearOutput(boolean await) implements Publication {
        @Override
        public String type() {
            return "clear_output";
        }

        @Override
        public Map<String, Object> content() {
            return Json.object("wait", await);
        }
    }

    /// A cell failed.
    ///
    /// @param failure why
    record Error(Failure failure) implements Publication {
        @Override
        public String type() {
            return "error";
        }

        @Override
        public Map<String, Object> content() {
            return failure.content();
        }
    }

    /// The kernel's part of a conversation with the front end.
    sealed interface OnComm extends Publication {
        /// @return what is said
        CommPayload payload();

        @Override
        default Map<String, Object> metadata() {
            return payload().metadata();
        }

        @Override
        default List<byte[]> buffers() {
            return payload().buffers();
        }
    }

    /// The kernel opens a comm.
    ///
    /// @param comm its id
    /// @param target who should take it in the front end
    /// @param payload goes with it
    record CommOpened(String comm, String target, CommPayload payload) implements OnComm {
        @Override
        public String type() {
            return "comm_open";
        }

        @Override
        public Map<String, Object> content() {
            return Json.object("comm_id", comm, "target_name", target, "data", payload.data());
        }
    }

    /// The kernel says something on a comm.
    ///
    /// @param comm its id
    /// @param payload what it says
    record CommSaid(String comm, CommPayload payload) implements OnComm {
        @Override
        public String type() {
            return "comm_msg";
        }

        @Override
        public Map<String, Object> content() {
            return Json.object("comm_id", comm, "data", payload.data());
        }
    }

    /// The kernel closes a comm, or does not take one that the front end opened.
    ///
    /// @param comm its id
    /// @param payload goes with it
    record CommClosed(String comm, CommPayload payload) implements OnComm {
        @Override
        public String type() {
            return "comm_close";
        }

        @Override
        public Map<String, Object> content() {
            return Json.object("comm_id", comm, "data", payload.data());
        }
    }

    /// A new subscriber is connected.
    ///
    /// @param subscription what it asked for
    record Welcome(String subscription) implements Publication {
        @Override
        public String type() {
            return "iopub_welcome";
        }

        @Override
        public Map<String, Object> content() {
            return Json.object("subscription", subscription);
        }
    }

    /// The kernel leaves; a copy of the reply for all other front ends.
    ///
    /// @param restart whether a new one follows
    record Leaving(boolean restart) implements Publication {
        @Override
        public String type() {
            return "shutdown_reply";
        }

        @Override
        public Map<String, Object> content() {
            return Json.object("status", "ok", "restart", restart);
        }
    }

    /// The cell asks the user for a line; on stdin.
    ///
    /// @param prompt what to show before the field
    /// @param password whether to hide what is typed
    record InputRequest(String prompt, boolean password) implements Publication {
        @Override
        public String type() {
            return "input_request";
        }

        @Override
        public Map<String, Object> content() {
            return Json.object("prompt", prompt, "password", password);
        }
    }

    private static Map<String, Object> display(Bundle bundle, Optional<String> id) {
        var transients = new LinkedHashMap<String, Object>();
        id.ifPresent(value -> transients.put("display_id", value));
        return Json.object(
                "data", bundle.data(), "metadata", bundle.metadata(), "transient", transients);
    }
}
