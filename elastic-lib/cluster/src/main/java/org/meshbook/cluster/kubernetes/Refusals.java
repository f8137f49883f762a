package org.meshbook.cluster.kubernetes;

import java.io.IOException;
import java.util.List;
import okhttp3.Response;
import org.meshbook.cluster.ApiException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/// What servers say when they refuse.
final class Refusals {
    private static final int LONGEST = 300;
    private static final int NOT_FOUND = 404;
    static final JsonMapper JSON = JsonMapper.builder().build();

    private Refusals() {}

    /// @param response a refusal
    /// @return it, in the server's words
    static ApiException of(Response response) throws IOException {
        var text = response.body().string();
        var status = read(text);
        if (status.path("kind").asString("").equals("Status")) {
            return of(status, response.code());
        }
        // Something between us and the server, or a path that it does not know.
        var line = text.strip().lines().findFirst().orElse(response.message());
        var path = response.request().url().encodedPath();
        return new ApiException(
                response.code(),
                response.code() == NOT_FOUND ? "NotServed" : "Unknown",
                "%s: %d %s"
                        .formatted(
                                path,
                                response.code(),
                                line.substring(0, Math.min(LONGEST, line.length()))),
                List.of());
    }

    private static JsonNode read(String text) {
        try {
            return JSON.readTree(text);
        } catch (JacksonException notJson) {
            return MissingNode.getInstance();
        }
    }

    /// @param status a `Status` object
    /// @param code what to take for its code if it names none
    /// @return it, as an exception
    static ApiException of(JsonNode status, int code) {
        var causes =
                status.path("details").path("causes").values().stream()
                        .map(
                                c ->
                                        new ApiException.Cause(
                                                c.path("reason").asString(""),
                                                c.path("field").asString(""),
                                                c.path("message").asString("")))
                        .toList();
        return new ApiException(
                status.path("code").asInt(code),
                status.path("reason").asString("Unknown"),
                status.path("message").asString("the server says no more"),
                causes);
    }
}
