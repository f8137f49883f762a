package org.meshbook.elastic.manager;

import org.jspecify.annotations.Nullable;

/// A program that can be started again on other slices.
///
/// @param <T> what it yields
/// @param <X> a checked exception that it may throw; none for most
@FunctionalInterface
public interface Attempted<T extends @Nullable Object, X extends Exception> {
    /// Runs the program on the slices that are active now.
    ///
    /// @param attempt this run
    /// @return the program's value
    /// @throws X what the program throws; ends the retry
    T run(Attempt attempt) throws X;
}
