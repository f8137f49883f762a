package org.meshbook.kernel.failure;

import java.util.List;
import java.util.OptionalInt;
import org.meshbook.kernel.jshell.Origin;

/// A cell that ends before its last statement does.
///
/// @param ink colours
public record Incomplete(Ink ink) {
    /// @param origin where that statement begins
    /// @param open offset in it of the bracket that is never closed, if that is why
    /// @return the failure in words
    public Told tell(Origin origin, OptionalInt open) {
        var excerpt = Excerpt.of(origin, open.orElse(0), 1);
        var why =
                open.isPresent()
                        ? "incomplete: '%s' of line %d is never closed"
                                .formatted(
                                        origin.code().charAt(origin.offset() + open.getAsInt()),
                                        excerpt.line())
                        : "incomplete: the cell ends before the statement of line %d does"
                                .formatted(excerpt.line());
        var lines = new java.util.ArrayList<String>();
        lines.add(ink.line("CompileError", why).lines().getFirst());
        lines.addAll(excerpt.lines());
        return new Told(
                "CompileError", "%s (%s)".formatted(why, excerpt.where()), List.copyOf(lines));
    }
}
