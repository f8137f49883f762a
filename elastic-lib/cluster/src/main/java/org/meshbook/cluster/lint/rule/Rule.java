package org.meshbook.cluster.lint.rule;

import java.util.List;
import java.util.stream.Stream;
import org.meshbook.cluster.manifest.Place;
import org.meshbook.cluster.manifest.Value;

/// One thing that the linter looks for.
///
/// @param id its name, such as `KQ001`
/// @param severity how bad it is, unless the release of Kueue says otherwise
/// @param title what is found, a few words
/// @param fix what to do about it
/// @param check finds it
public record Rule(String id, Severity severity, String title, String fix, Check check) {
    /// Looks for one thing.
    @FunctionalInterface
    public interface Check {
        /// @param rule makes findings
        /// @param subject all that is linted together
        /// @return what was found
        Stream<Finding> find(Rule rule, Subject subject);
    }

    /// @param subject all that is linted together
    /// @return what was found
    public List<Finding> findings(Subject subject) {
        return check.find(this, subject).toList();
    }

    /// @param item an object
    /// @param value a value of it
    /// @param message what is wrong with it
    /// @return a finding there
    public Finding at(Item item, Value value, String message) {
        return at(item.source(), value.key(), message);
    }

    /// @param source a text
    /// @param place a place in it, as it was repaired
    /// @param message what is wrong there
    /// @return a finding there
    public Finding at(Source source, Place place, String message) {
        return new Finding(
                this, severity, source, source.given(place), message, "", fix, List.of());
    }
}
