package org.meshbook.elastic.worker;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.store.Shard;
import org.meshbook.elastic.transport.Fault;
import org.meshbook.elastic.wire.ArrayCodec;
import org.meshbook.elastic.wire.proto.Put;
import org.meshbook.elastic.wire.proto.PutChunk;

/// A put whose bytes are still coming, on the stream's thread.
final class Upload {
    private final Put put;
    private final List<Shard> shards = new ArrayList<>();
    private long missing;

    /// @param put what is announced
    /// @param where the worker, for messages
    Upload(Put put, String where) {
        this.put = put;
        var type = ArrayCodec.fromProto(put.getShardType());
        for (int i = 0; i < put.getShardsCount(); i++) {
            shards.add(room(type, where));
            missing += type.bytes();
        }
        for (int i = 0; i < put.getShardsCount(); i++) {
            take(i, 0, put.getShards(i).getData());
        }
    }

    private static Shard room(ArrayType type, String where) {
        try {
            return new Shard.Value(HostArray.zeros(type));
        } catch (OutOfMemoryError | ArithmeticException e) {
            return new Shard.Poisoned(
                    Fault.memory(
                            "out of memory on %s: no room for a shard %s (%d bytes)"
                                    .formatted(where, type, type.bytes())));
        }
    }

    Put put() {
        return put;
    }

    void take(PutChunk chunk) {
        UsageError.require(
                chunk.getShard() >= 0 && chunk.getShard() < shards.size(),
                "a chunk names shard %d of a put of %d",
                chunk.getShard(),
                shards.size());
        take(chunk.getShard(), chunk.getOffset(), chunk.getData());
    }

    private void take(int shard, long offset, ByteString data) {
        missing -= data.size();
        if (shards.get(shard) instanceof Shard.Value(var value)) {
            var place = value.bytes();
            place.position(Math.toIntExact(offset));
            data.copyTo(place);
        }
    }

    boolean complete() {
        return missing == 0;
    }

    Shard shard(int i) {
        return shards.get(i);
    }
}
