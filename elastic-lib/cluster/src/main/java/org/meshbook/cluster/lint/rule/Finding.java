package org.meshbook.cluster.lint.rule;

import java.util.List;
import org.meshbook.cluster.manifest.Place;

/// Something that a rule found.
///
/// @param rule the rule
/// @param severity how bad it is here
/// @param source where
/// @param place where in it, in the text as it was given
/// @param message what is wrong, one line
/// @param verdict what the real programs say or do; `""` if they say nothing
/// @param fix what to do; one line
/// @param edits how to do it, if a machine can
public record Finding(
        Rule rule,
        Severity severity,
        Source source,
        Place place,
        String message,
        String verdict,
        String fix,
        List<Edit> edits) {
    public Finding {
        edits = List.copyOf(edits);
    }

    /// @param other how bad it is here
    /// @return this with it
    public Finding as(Severity other) {
        return new Finding(rule, other, source, place, message, verdict, fix, edits);
    }

    /// @param text what the real programs say or do
    /// @return this with it
    public Finding verdict(String text) {
        return new Finding(rule, severity, source, place, message, text, fix, edits);
    }

    /// @param text what to do
    /// @return this with it
    public Finding fix(String text) {
        return new Finding(rule, severity, source, place, message, verdict, text, edits);
    }

    /// @param all how to do it
    /// @return this with them
    public Finding edits(Edit... all) {
        return new Finding(rule, severity, source, place, message, verdict, fix, List.of(all));
    }
}
