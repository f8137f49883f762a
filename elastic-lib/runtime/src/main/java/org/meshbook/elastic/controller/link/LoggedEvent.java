package org.meshbook.elastic.controller.link;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.meshbook.elastic.wire.HeadFile;
import org.meshbook.elastic.wire.HeadMethods;
import org.meshbook.elastic.wire.proto.EventInfo;
import org.meshbook.elastic.wire.proto.EventsRequest;

/// One line of the head's event log.
///
/// @param at when the head saw it
/// @param session id of the session; empty if it is about the head
/// @param slice index of the slice; -1 if it is about none
/// @param generation the slice's generation; 0 if it is about none
/// @param kind an open set: lost, joined, starting, leaving, opened, dropped, attached, closed,
///   head
/// @param text one line
public record LoggedEvent(
        Instant at, String session, int slice, int generation, String kind, String text) {
    private static final Duration ANSWER = Duration.ofSeconds(5);

    /// @param head whose log
    /// @param session of which session; empty for all
    /// @param last how many at most
    /// @return the tail of its event log, oldest first
    public static List<LoggedEvent> tail(HeadFile head, String session, int last) {
        var request = EventsRequest.newBuilder().setSession(session).setLast(last).build();
        return HeadCall.ask(head, HeadMethods.EVENTS, request, ANSWER).getEventsList().stream()
                .map(LoggedEvent::of)
                .toList();
    }

    private static LoggedEvent of(EventInfo info) {
        return new LoggedEvent(
                Instant.EPOCH.plus(info.getAtMicros(), ChronoUnit.MICROS),
                info.getSession(),
                info.getSlice(),
                info.getGeneration(),
                info.getKind(),
                info.getText());
    }
}
