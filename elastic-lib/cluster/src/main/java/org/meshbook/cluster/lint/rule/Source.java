package org.meshbook.cluster.lint.rule;

import java.util.List;
import org.meshbook.cluster.manifest.Manifest;
import org.meshbook.cluster.manifest.Place;

/// A text to be linted, repaired so far that its objects can be read.
///
/// @param name the file's name
/// @param text the text as it was given
/// @param manifest what stands in it once it is repaired
/// @param repairs what had to be repaired
/// @param shifts how many columns each line lost by the repair, by its number from 0
/// @param given what stands in the text as it was given
public record Source(
        String name,
        String text,
        Manifest manifest,
        List<Repair> repairs,
        List<Integer> shifts,
        Manifest given) {
    public Source {
        repairs = List.copyOf(repairs);
        shifts = List.copyOf(shifts);
    }

    /// @param name the file's name
    /// @param text its text
    /// @return what can be read of it
    public static Source read(String name, String text) {
        return Repairing.of(name, text);
    }

    /// @param place a place in the repaired text
    /// @return the same place in the text as it was given
    public Place given(Place place) {
        int line = place.line() - 1;
        return line < shifts.size() && shifts.get(line) != 0
                ? new Place(place.line(), place.column() + shifts.get(line), place.length())
                : place;
    }

    /// @param line a line's number, from 1
    /// @return the line as it was given
    public String line(int line) {
        return given.line(line);
    }
}
