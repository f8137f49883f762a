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
/// @param above how many lines stand above it in the document that it is a part of
public record Source(
        String name,
        String text,
        Manifest manifest,
        List<Repair> repairs,
        List<Integer> shifts,
        Manifest given,
        int above) {
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

    /// @param name the file's name
    /// @param text any text
    /// @return it, with nothing read of it
    static Source plain(String name, String text) {
        var nothing = new Manifest(name, text, List.of(), List.of());
        return new Source(name, text, nothing, List.of(), List.of(), nothing, 0);
    }

    /// @param lines how many lines stand above it in the document that it is a part of
    /// @return the same text, there
    public Source below(int lines) {
        return new Source(name, text, manifest, repairs, shifts, given, lines);
    }

    /// @param place a place in the repaired text
    /// @return the same place in the file as it was given
    public Place given(Place place) {
        int line = place.line() - 1;
        int shift = line < shifts.size() ? shifts.get(line) : 0;
        return moved(new Place(place.line(), place.column() + shift, place.length()));
    }

    /// @param place a place in the text as it was given
    /// @return the same place in the file
    public Place moved(Place place) {
        return new Place(place.line() + above, place.column(), place.length());
    }

    /// @param line a line's number in the file, from 1
    /// @return the line as it was given
    public String line(int line) {
        return given.line(line - above);
    }
}
