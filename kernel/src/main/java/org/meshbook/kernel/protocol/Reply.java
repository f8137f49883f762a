package org.meshbook.kernel.protocol;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What the kernel answers; each content has a `status`.
public sealed interface Reply {
    /// @return the message's type, as `execute_reply`
    String type();

    /// @return the message's content
    Map<String, Object> content();

    /// Who the kernel is.
    ///
    /// @param implementation its version
    /// @param java version of the language
    record KernelInfo(String implementation, String java) implements Reply {
        @Override
        public String type() {
            return "kernel_info_reply";
        }

        @Override
        public Map<String, Object> content() {
            var language =
                    Json.object(
                            "name", "java",
                            "version", java,
                            "mimetype", "text/x-java",
                            "file_extension", ".jshell",
                            "pygments_lexer", "java",
                            "codemirror_mode", "text/x-java",
                            "nbconvert_exporter", "script");
            var api =
                    Json.object(
                            "text", "Java SE 25 API",
                            "url", "https://docs.oracle.com/en/java/javase/25/docs/api/");
            return Json.object(
                    "status",
                    "ok",
                    "protocol_version",
                    Header.PROTOCOL,
                    "implementation",
                    "meshbook",
                    "implementation_version",
                    implementation,
                    "language_info",
                    language,
                    "banner",
                    "Meshbook " + implementation + ": Java " + java + " notebooks",
                    "help_links",
                    List.of(api),
                    "supported_features",
                    List.of("kernel subshells"),
                    "debugger",
                    false);
        }
    }

    /// Where it listens.
    ///
    /// @param ports name of the port to its number
    record Connect(Map<String, Integer> ports) implements Reply {
        @Override
        public String type() {
            return "connect_reply";
        }

        @Override
        public Map<String, Object> content() {
            var content = Json.object("status", "ok");
            content.putAll(ports);
            return content;
        }
    }

    /// A cell ran to its end.
    ///
    /// @param count its number
    /// @param expressions what the user expressions gave, by name
    /// @param exit whether the kernel leaves now
    record Executed(int count, Map<String, Expression> expressions, boolean exit) implements Reply {
        @Override
        public String type() {
            return "execute_reply";
        }

        @Override
        public Map<String, Object> content() {
            var values = new LinkedHashMap<String, Object>();
            expressions.forEach((name, value) -> values.put(name, value.content()));
            var leave = Json.object("source", "ask_exit", "keepkernel", false);
            return Json.object(
                    "status",
                    "ok",
                    "execution_count",
                    count,
                    "user_expressions",
                    values,
                    "payload",
                    exit ? List.of(leave) : List.of());
        }
    }

    /// A cell failed.
    ///
    /// @param count its number
    /// @param failure why
    record ExecutionFailed(int count, Failure failure) implements Reply {
        @Override
        public String type() {
            return "execute_reply";
        }

        @Override
        public Map<String, Object> content() {
            var content = Json.object("status", "error", "execution_count", count);
            content.putAll(failure.content());
            content.put("user_expressions", Map.of());
            content.put("payload", List.of());
            return content;
        }
    }

    /// A cell was not run, because one before it failed or was interrupted; it has no number.
    record ExecutionAborted() implements Reply {
        @Override
        public String type() {
            return "execute_reply";
        }

        @Override
        public Map<String, Object> content() {
            return Json.object("status", "aborted");
        }
    }

    /// What could stand at the cursor.
    ///
    /// @param code what was asked about
    /// @param matches best first
    /// @param start in UTF-16 units
    /// @param end in UTF-16 units
    record Completed(String code, List<Match> matches, int start, int end) implements Reply {
        /// One of them.
        ///
        /// @param text what would stand there
        /// @param type what it is, in Jupyter's words
        /// @param signature how it is called; empty if that is not known
        public record Match(String text, String type, String signature) {}

        @Override
        public String type() {
            return "complete_reply";
        }

        @Override
        public Map<String, Object> content() {
            var from = CodePoints.toPoints(code, start);
            var to = CodePoints.toPoints(code, end);
            return Json.object(
                    "status",
                    "ok",
                    "matches",
                    matches.stream().map(Match::text).distinct().toList(),
                    "cursor_start",
                    from,
                    "cursor_end",
                    to,
                    "metadata",
                    Map.of(
                            "_jupyter_types_experimental",
                            matches.stream().map(m -> typed(m, from, to)).toList()));
        }

        private static Map<String, Object> typed(Match match, int from, int to) {
            return Json.object(
                    "start", from,
                    "end", to,
                    "text", match.text(),
                    "type", match.type(),
                    "signature", match.signature());
        }
    }

    /// What is at the cursor.
    ///
    /// @param found documentation, or empty
    record Inspected(Optional<Bundle> found) implements Reply {
        @Override
        public String type() {
            return "inspect_reply";
        }

        @Override
        public Map<String, Object> content() {
            var bundle = found.orElse(Bundle.EMPTY);
            return Json.object(
                    "status", "ok",
                    "found", found.isPresent(),
                    "data", bundle.data(),
                    "metadata", bundle.metadata());
        }
    }

    /// Whether code can be run.
    ///
    /// @param completeness complete, incomplete, invalid or unknown
    /// @param indent for the next line of incomplete code
    record IsComplete(String completeness, String indent) implements Reply {
        @Override
        public String type() {
            return "is_complete_reply";
        }

        @Override
        public Map<String, Object> content() {
            var content = Json.object("status", completeness);
            if (completeness.equals("incomplete")) {
                content.put("indent", indent);
            }
            return content;
        }
    }

    /// What was run.
    ///
    /// @param lines oldest first
    /// @param output whether results are shown
    record History(List<Line> lines, boolean output) implements Reply {
        @Override
        public String type() {
            return "history_reply";
        }

        @Override
        public Map<String, Object> content() {
            var history = lines.stream().map(line -> line.fields(output)).toList();
            return Json.object("status", "ok", "history", history);
        }
    }

    /// One cell that was run.
    ///
    /// @param session number of its session
    /// @param number its own
    /// @param source its text
    /// @param result plain text of its result, if it had one
    record Line(int session, int number, String source, Optional<String> result) {
        private List<Object> fields(boolean output) {
            if (!output) {
                return List.of(session, number, source);
            }
            var pair = new java.util.ArrayList<@org.jspecify.annotations.Nullable Object>();
            pair.add(source);
            pair.add(result.orElse(null));
            return List.of(session, number, pair);
        }
    }

    /// Which comms are open.
    ///
    /// @param targets id of a comm to its target
    record CommInfo(Map<String, String> targets) implements Reply {
        @Override
        public String type() {
            return "comm_info_reply";
        }

        @Override
        public Map<String, Object> content() {
            var comms = new LinkedHashMap<String, Object>();
            targets.forEach((id, target) -> comms.put(id, Json.object("target_name", target)));
            return Json.object("status", "ok", "comms", comms);
        }
    }

    /// The running cell was told to stop.
    record Interrupted() implements Reply {
        @Override
        public String type() {
            return "interrupt_reply";
        }

        @Override
        public Map<String, Object> content() {
            return Json.object("status", "ok");
        }
    }

    /// What the kernel and its machine use.
    ///
    /// @param figures in ipykernel's words, and more
    record Usage(Map<String, Object> figures) implements Reply {
        @Override
        public String type() {
            return "usage_reply";
        }

        @Override
        public Map<String, Object> content() {
            var content = Json.object("status", "ok");
            content.putAll(figures);
            return content;
        }
    }

    /// A subshell was made.
    ///
    /// @param subshell its id
    record SubshellCreated(String subshell) implements Reply {
        @Override
        public String type() {
            return "create_subshell_reply";
        }

        @Override
        public Map<String, Object> content() {
            return Json.object("status", "ok", "subshell_id", subshell);
        }
    }

    /// A subshell takes no more requests; what it ran is told to stop.
    record SubshellDeleted() implements Reply {
        @Override
        public String type() {
            return "delete_subshell_reply";
        }

        @Override
        public Map<String, Object> content() {
            return Json.object("status", "ok");
        }
    }

    /// Which subshells are there.
    ///
    /// @param subshells their ids, oldest first
    record Subshells(List<String> subshells) implements Reply {
        @Override
        public String type() {
            return "list_subshell_reply";
        }

        @Override
        public Map<String, Object> content() {
            return Json.object("status", "ok", "subshell_id", subshells);
        }
    }

    /// The kernel leaves.
    ///
    /// @param restart whether a new one follows
    record ShutDown(boolean restart) implements Reply {
        @Override
        public String type() {
            return "shutdown_reply";
        }

        @Override
        public Map<String, Object> content() {
            return Json.object("status", "ok", "restart", restart);
        }
    }

    /// There is no debugger.
    ///
    /// @param sequence of the request
    /// @param command that it asked for
    record NoDebugger(int sequence, String command) implements Reply {
        @Override
        public String type() {
            return "debug_reply";
        }

        @Override
        public Map<String, Object> content() {
            return Json.object(
                    "status",
                    "error",
                    "type",
                    "response",
                    "seq",
                    sequence,
                    "request_seq",
                    sequence,
                    "success",
                    false,
                    "command",
                    command,
                    "message",
                    "this kernel has no debugger",
                    "body",
                    Map.of());
        }
    }

    /// A request could not be answered.
    ///
    /// @param type of the reply that was due
    /// @param failure why
    record Failed(String type, Failure failure) implements Reply {
        @Override
        public Map<String, Object> content() {
            var content = Json.object("status", "error");
            content.putAll(failure.content());
            return content;
        }
    }

    /// What a user expression gave.
    sealed interface Expression {
        /// @return its content
        Map<String, Object> content();

        /// A value.
        ///
        /// @param bundle how it looks
        record Value(Bundle bundle) implements Expression {
            @Override
            public Map<String, Object> content() {
                return Json.object(
                        "status", "ok", "data", bundle.data(), "metadata", bundle.metadata());
            }
        }

        /// A failure.
        ///
        /// @param failure why
        record Broken(Failure failure) implements Expression {
            @Override
            public Map<String, Object> content() {
                var content = Json.object("status", "error");
                content.putAll(failure.content());
                return content;
            }
        }
    }
}
