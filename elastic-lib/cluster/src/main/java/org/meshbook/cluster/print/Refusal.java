package org.meshbook.cluster.print;

import java.util.Optional;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.Resource;

/// How `kubectl` words what a server refused.
public final class Refusal {
    private Refusal() {}

    /// @param refused the server's answer
    /// @param object what was sent
    /// @param file where it came from; empty if it was not a file
    /// @return `kubectl`'s text
    public static String text(ApiException refused, Resource object, Optional<String> file) {
        if (refused.reason().equals("Invalid")) {
            return invalid(refused, object);
        }
        var from = file.map("error when creating \"%s\": "::formatted).orElse("");
        return "Error from server (%s): %s%s"
                .formatted(refused.reason(), from, refused.getMessage());
    }

    private static String invalid(ApiException refused, Resource object) {
        var head = "The %s \"%s\" is invalid: ".formatted(object.text("kind"), object.name());
        var causes =
                refused.causes().stream()
                        .map(c -> c.field() + ": " + c.message())
                        .distinct()
                        .toList();
        return causes.size() == 1
                ? head + causes.getFirst()
                : head + "\n* " + String.join("\n* ", causes);
    }
}
