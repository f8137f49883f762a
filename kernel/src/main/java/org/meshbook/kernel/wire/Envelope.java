package org.meshbook.kernel.wire;

import java.util.List;

/// One message as it crosses the wire: four JSON texts that this room does not read, and whom they
/// come from or go to.
///
/// @param route identities of the peer, as a ROUTER socket gives them; on iopub the topic
/// @param header JSON
/// @param parent JSON
/// @param metadata JSON
/// @param content JSON
/// @param buffers binary parts
public record Envelope(
        List<byte[]> route,
        byte[] header,
        byte[] parent,
        byte[] metadata,
        byte[] content,
        List<byte[]> buffers) {
    public Envelope {
        route = List.copyOf(route);
        buffers = List.copyOf(buffers);
    }

    /// @param other route
    /// @return this on that route
    Envelope to(List<byte[]> other) {
        return new Envelope(other, header, parent, metadata, content, buffers);
    }

    /// @return bytes that it holds, roughly what it costs to keep
    int sizeBytes() {
        var size = header.length + parent.length + metadata.length + content.length;
        for (var buffer : buffers) {
            size += buffer.length;
        }
        return size;
    }
}
