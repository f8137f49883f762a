package org.meshbook.kernel.protocol;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/// Who said what, when.
///
/// @param id unique for the message
/// @param session the sender's session
/// @param username the sender's user
/// @param date ISO 8601 with zone
/// @param type as `execute_request`
/// @param version of the protocol
/// @param subshell the subshell that it is meant for or comes from; empty for the main shell
public record Header(
        String id,
        String session,
        String username,
        String date,
        String type,
        String version,
        Optional<String> subshell) {
    /// What this kernel speaks.
    public static final String PROTOCOL = "5.6";

    /// @param session the kernel's session
    /// @param username of the request that it answers
    /// @param type of the message
    /// @return a header of now
    public static Header now(String session, String username, String type) {
        var date = Instant.now().truncatedTo(ChronoUnit.MICROS).toString();
        var id = UUID.randomUUID().toString();
        return new Header(id, session, username, date, type, PROTOCOL, Optional.empty());
    }

    /// @param other a subshell, or empty for the main shell
    /// @return this from that one
    public Header of(Optional<String> other) {
        return new Header(id, session, username, date, type, version, other);
    }

    Map<String, Object> fields() {
        var fields = new LinkedHashMap<String, Object>();
        fields.put("msg_id", id);
        fields.put("session", session);
        fields.put("username", username);
        fields.put("date", date);
        fields.put("msg_type", type);
        fields.put("version", version);
        subshell.ifPresent(value -> fields.put("subshell_id", value));
        return fields;
    }
}
