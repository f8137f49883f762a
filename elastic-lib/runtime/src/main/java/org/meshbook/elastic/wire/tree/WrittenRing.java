package org.meshbook.elastic.wire.tree;

import com.google.protobuf.InvalidProtocolBufferException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.wire.proto.SnapshotProto;
import org.meshbook.elastic.wire.proto.SnapshotsContent;

/// A ring of snapshots as bytes; the host copies with their arrays travel apart. The format is
/// `SnapshotsContent` of `names.proto`.
///
/// @param replicaAxis index of the mesh axis along which whole copies lie
/// @param kept how many stay
/// @param budgetBytes host memory that each replica may use
/// @param copyWithin how long one copy may take
/// @param autoReplicate whether small arrays on one device are copied to every replica
/// @param ring newest first
public record WrittenRing(
        int replicaAxis,
        int kept,
        long budgetBytes,
        Duration copyWithin,
        boolean autoReplicate,
        List<One> ring) {
    public WrittenRing {
        ring = List.copyOf(ring);
    }

    /// One snapshot.
    ///
    /// @param step the step that it was saved after
    /// @param at when it was complete
    /// @param copy index of its host copy
    /// @param unit the state
    public record One(long step, Instant at, int copy, WrittenTree unit) {}

    /// @return the bytes
    /// @throws UsageError if a plain value is none of the types that can be written
    public ByteBuffer bytes() {
        var content =
                SnapshotsContent.newBuilder()
                        .setReplicaAxis(replicaAxis)
                        .setKept(kept)
                        .setBudgetBytes(budgetBytes)
                        .setCopyWithinMs(copyWithin.toMillis())
                        .setAutoReplicate(autoReplicate);
        for (var one : ring) {
            content.addRing(
                    SnapshotProto.newBuilder()
                            .setStep(one.step())
                            .setAtMicros(ChronoUnit.MICROS.between(Instant.EPOCH, one.at()))
                            .setCopy(one.copy())
                            .setUnit(one.unit().content()));
        }
        return content.build().toByteString().asReadOnlyByteBuffer();
    }

    /// @param bytes from position to limit
    /// @return what they say
    /// @throws UsageError if they cannot be read
    public static WrittenRing read(ByteBuffer bytes) {
        try {
            var content = SnapshotsContent.parseFrom(bytes);
            return new WrittenRing(
                    content.getReplicaAxis(),
                    content.getKept(),
                    content.getBudgetBytes(),
                    Duration.ofMillis(content.getCopyWithinMs()),
                    content.getAutoReplicate(),
                    content.getRingList().stream().map(WrittenRing::one).toList());
        } catch (InvalidProtocolBufferException e) {
            throw new UsageError("the snapshots that are published cannot be read: %s", e);
        }
    }

    private static One one(SnapshotProto proto) {
        return new One(
                proto.getStep(),
                Instant.EPOCH.plus(proto.getAtMicros(), ChronoUnit.MICROS),
                proto.getCopy(),
                WrittenTree.of(proto.getUnit()));
    }
}
