package org.meshbook.elastic.formats;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import org.meshbook.elastic.array.HostArray;

/// An array on its way into a file; two are equal only if they are one.
///
/// @param name in the file
/// @param array what to store
/// @param element how
record Stored(String name, HostArray array, Element element) {
    /// @return bytes in the file
    long bytes() {
        return array.type().shape().size() * element.bytes();
    }

    ByteBuffer packed() {
        return Packing.pack(name, array, element);
    }

    void write(OutputStream out) throws IOException {
        var packed = packed();
        var channel = Channels.newChannel(out);
        while (packed.hasRemaining()) {
            channel.write(packed);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other == this;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }
}
