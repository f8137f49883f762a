package org.meshbook.cluster;

import java.util.List;

/// A request that an API server refused. The message is the server's own text.
public final class ApiException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int code;
    private final String reason;
    private final transient List<Cause> causes;

    /// One field that is wrong.
    ///
    /// @param reason such as `FieldValueRequired`
    /// @param field path, such as `spec.resourceGroups[0].coveredResources`
    /// @param message what is wrong with it
    public record Cause(String reason, String field, String message) {}

    /// @param code HTTP status
    /// @param reason the status' reason, such as `Conflict`
    /// @param message the server's text
    /// @param causes the fields that are wrong; often empty
    public ApiException(int code, String reason, String message, List<Cause> causes) {
        super(message);
        this.code = code;
        this.reason = reason;
        this.causes = List.copyOf(causes);
    }

    /// @param kind kind
    /// @param name name
    /// @return that there is no such object
    public static ApiException notFound(ResourceKind kind, String name) {
        return new ApiException(
                404, "NotFound", "%s \"%s\" not found".formatted(kind.resource(), name), List.of());
    }

    /// @param kind kind
    /// @param name name
    /// @return that the name is taken
    public static ApiException alreadyExists(ResourceKind kind, String name) {
        return new ApiException(
                409,
                "AlreadyExists",
                "%s \"%s\" already exists".formatted(kind.resource(), name),
                List.of());
    }

    /// @param kind kind
    /// @param name name
    /// @param why the server's words
    /// @return that the object may not be written
    public static ApiException forbidden(ResourceKind kind, String name, String why) {
        return new ApiException(
                403,
                "Forbidden",
                "%s \"%s\" is forbidden: %s".formatted(kind.resource(), name, why),
                List.of());
    }

    /// @param kind kind
    /// @param name name
    /// @param causes the fields that are wrong
    /// @return that the object is not valid
    public static ApiException invalid(ResourceKind kind, String name, List<Cause> causes) {
        var texts = causes.stream().map(c -> c.field() + ": " + c.message()).distinct().toList();
        var all = texts.size() == 1 ? texts.getFirst() : "[" + String.join(", ", texts) + "]";
        var type = kind.group().isEmpty() ? kind.kind() : kind.kind() + "." + kind.group();
        return new ApiException(
                422, "Invalid", "%s \"%s\" is invalid: %s".formatted(type, name, all), causes);
    }

    /// @param kind kind
    /// @param name name
    /// @return that somebody changed the object since it was read
    public static ApiException conflict(ResourceKind kind, String name) {
        return new ApiException(
                409,
                "Conflict",
                ("Operation cannot be fulfilled on %s \"%s\": the object has been modified; please"
                                + " apply your changes to the latest version and try again")
                        .formatted(kind.resource(), name),
                List.of());
    }

    /// @param wanted version to go on from
    /// @param oldest oldest version from which one can
    /// @return that too much was forgotten since
    public static ApiException expired(long wanted, long oldest) {
        return new ApiException(
                410,
                "Expired",
                "too old resource version: %d (%d)".formatted(wanted, oldest),
                List.of());
    }

    public int code() {
        return code;
    }

    public String reason() {
        return reason;
    }

    public List<Cause> causes() {
        return causes;
    }

    /// @return whether somebody else changed the object meanwhile: read it again and try again
    public boolean conflicted() {
        return code == 409 && reason.equals("Conflict");
    }

    public boolean missing() {
        return code == 404;
    }
}
