package org.meshbook.elastic.slices.supply;

import java.util.function.Consumer;

/// Decides when slices are there: whoever asks gets them as they are granted, each by itself, and
/// loses those that are taken away.
///
/// Asked by the guests' thread of the head.
public interface Supply {
    /// Looks whether a request can ever be granted; makes nothing.
    ///
    /// @param request what is asked for
    /// @return it, with the hosts and devices that the slices will have
    /// @throws org.meshbook.elastic.UsageError if it never can; one line that says why
    SupplyRequest settle(SupplyRequest request);

    /// Asks for slices: they wait until they are granted.
    ///
    /// @param request a settled one
    /// @param worker what each host of a granted slice runs
    /// @param told hears how each slice stands, at first and after each change; called by a thread
    ///   of the supply's, must not block
    void request(SupplyRequest request, WorkerProgram worker, Consumer<Standing> told);

    /// Takes a request back, waiting or granted; nothing of it stays.
    ///
    /// @param session whose
    void withdraw(String session);
}
