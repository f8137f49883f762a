package org.meshbook.elastic.slices;

import java.util.List;
import java.util.Optional;

/// Names on an allocation. What has one is kept when its program dies, until the session ends; what
/// has none is freed when the next program attaches. Thread-safe; each call is one round trip to
/// the head at most.
public interface Names {
    /// Gives something a name, or the name to something else; waits until the arrays are computed
    /// and in place, since what is on its way would die with the program.
    ///
    /// @param name letters, digits, `_`, `.` and `-`
    /// @param what its arrays and copies outlive scopes and programs from now on
    /// @throws org.meshbook.elastic.UsageError if the name is not one, or too much is published
    void publish(String name, Published what);

    /// @param name a name
    /// @return what has it; of arrays that were lost meanwhile, poisoned ones
    Optional<Published> find(String name);

    /// @param name what is published no more; its arrays live on as long as the program holds them
    /// @throws org.meshbook.elastic.UsageError if nothing has it
    void withdraw(String name);

    /// @return all names, ascending
    List<String> list();
}
