package org.meshbook.kernel.protocol;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/// Who said what, when.
///
/// @param id unique for the message
/// @param session the sender's session
/// @param username the sender's user
/// @param date ISO 8601 with zone
/// @param type as `execute_request`
/// @param version of the protocol
public record Header(
        String id, String session, String username, String date, String type, String version) {
    /// What this kernel speaks.
    public static final String PROTOCOL = "5.5";

    /// @param session the kernel's session
    /// @param username of the request that it answers
    /// @param type of the message
    /// @return a header of now
    public static Header now(String session, String username, String type) {
        var date = Instant.now().truncatedTo(ChronoUnit.MICROS).toString();
        return new Header(UUID.randomUUID().toString(), session, username, date, type, PROTOCOL);
    }

    Map<String, Object> fields() {
        var fields = new LinkedHashMap<String, Object>();
        fields.put("msg_id", id);
        fields.put("session", session);
        fields.put("username", username);
        fields.put("date", date);
        fields.put("msg_type", type);
        fields.put("version", version);
        return fields;
    }
}
