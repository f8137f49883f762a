package org.meshbook.elastic.controller;

import java.util.List;
import org.meshbook.elastic.wire.proto.NamedProto;

/// Where published names are kept: the head. Each call is one round trip.
public interface NameSource {
    /// @return all, in order of name
    List<NamedProto> all();

    /// @param named replaces what has the same name
    /// @throws org.meshbook.elastic.UsageError if the name or the size is refused
    void publish(NamedProto named);

    /// @param name what is published no more
    /// @throws org.meshbook.elastic.UsageError if nothing has the name
    void withdraw(String name);
}
