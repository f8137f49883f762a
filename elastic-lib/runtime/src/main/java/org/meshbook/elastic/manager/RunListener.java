package org.meshbook.elastic.manager;

/// Hears how far an elastic run is, on the thread of its program.
public interface RunListener {
    /// A step is done; told before a loss that is found then is thrown.
    ///
    /// @param step its number; smaller than the one before after a restore
    void completed(long step);

    /// The run is over, with a value or without.
    void ended();
}
