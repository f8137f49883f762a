package org.meshbook.kernel.protocol;

import java.util.List;
import java.util.Map;

/// Why something did not work.
///
/// @param name short, as `ArithmeticException`
/// @param message one line
/// @param trace lines to show
public record Failure(String name, String message, List<String> trace) {
    public Failure {
        trace = List.copyOf(trace);
    }

    Map<String, Object> content() {
        return Json.object("ename", name, "evalue", message, "traceback", trace);
    }
}
