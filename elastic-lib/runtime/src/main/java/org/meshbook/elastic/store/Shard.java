package org.meshbook.elastic.store;

import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.transport.Fault;
import org.meshbook.elastic.transport.FaultException;

/// What a device holds of an array: its value, or why it has none.
public sealed interface Shard {
    /// @return the value
    /// @throws FaultException if there is none
    HostArray value() throws FaultException;

    /// @param value never written to again
    record Value(HostArray value) implements Shard {}

    /// @param fault why there is no value; whatever is computed from it has none either
    record Poisoned(Fault fault) implements Shard {
        @Override
        public HostArray value() throws FaultException {
            throw new FaultException(fault);
        }
    }
}
