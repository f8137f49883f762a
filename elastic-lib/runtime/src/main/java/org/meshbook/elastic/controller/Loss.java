package org.meshbook.elastic.controller;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import org.meshbook.elastic.slices.LossKind;

/// The end of one incarnation of a slice.
///
/// @param slice index of the slice
/// @param kind how it was lost
/// @param cause one line
/// @param at when
/// @param viewGeneration generation of the view that showed it
/// @param told whether the head said so; else a link of ours failed first
/// @param step the step that the slice was at; -1 if that is not known
record Loss(
        int slice,
        LossKind kind,
        String cause,
        Instant at,
        long viewGeneration,
        boolean told,
        long step) {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");

    Loss(int slice, LossKind kind, String cause, Instant at, long viewGeneration, boolean told) {
        this(slice, kind, cause, at, viewGeneration, told, -1);
    }

    Loss in(long known) {
        return new Loss(slice, kind, cause, at, viewGeneration, told, known);
    }

    /// @return as "with slice 2 (process 4711 ended by signal 9 at 12:30:01)", or "because of step
    ///   130 on slice 2 (...)"
    String blame() {
        return (step < 0 ? "with " : "because of step " + step + " on ") + words();
    }

    /// @return as "slice 2 (process 4711 ended by signal 9 at 12:30:01)"
    String words() {
        return "slice %d (%s at %s)"
                .formatted(slice, cause, TIME.format(at.atZone(ZoneId.systemDefault())));
    }
}
