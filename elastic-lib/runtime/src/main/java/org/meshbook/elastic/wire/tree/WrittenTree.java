package org.meshbook.elastic.wire.tree;

import com.google.protobuf.InvalidProtocolBufferException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Structure;
import org.meshbook.elastic.array.Tree;
import org.meshbook.elastic.wire.proto.ArraysContent;

/// A tree of arrays as bytes: its structure, its host arrays, and the places of those arrays that
/// lie on devices and travel apart. The format is `ArraysContent` of `names.proto`.
///
/// @param structure the tree without its arrays; records of another program have no class
/// @param leaves one entry an array
public record WrittenTree(Structure structure, List<Leaf> leaves) {
    public WrittenTree {
        leaves = List.copyOf(leaves);
    }

    /// One array of a tree.
    public sealed interface Leaf {
        /// @param value the array itself
        record Host(HostArray value) implements Leaf {}

        /// @param index among the arrays that travel apart
        record Placed(int index) implements Leaf {}
    }

    /// @param flat a tree taken apart
    /// @return it; placed arrays are numbered in order
    public static WrittenTree of(Tree.Flat flat) {
        var leaves = new ArrayList<Leaf>();
        int placed = 0;
        for (var leaf : flat.leaves()) {
            leaves.add(
                    leaf instanceof HostArray host
                            ? new Leaf.Host(host)
                            : new Leaf.Placed(placed++));
        }
        return new WrittenTree(flat.structure(), leaves);
    }

    /// @return the bytes
    /// @throws UsageError if a plain value is none of the types that can be written
    public ByteBuffer bytes() {
        return content().toByteString().asReadOnlyByteBuffer();
    }

    ArraysContent content() {
        return ArraysContent.newBuilder()
                .setTree(TreeCodec.encode(structure))
                .addAllLeaves(leaves.stream().map(TreeCodec::encode).toList())
                .build();
    }

    /// @param bytes from position to limit
    /// @return what they say
    /// @throws UsageError if they cannot be read
    public static WrittenTree read(ByteBuffer bytes) {
        try {
            return of(ArraysContent.parseFrom(bytes));
        } catch (InvalidProtocolBufferException e) {
            throw new UsageError("what is published cannot be read: %s", e);
        }
    }

    static WrittenTree of(ArraysContent content) {
        var structure = TreeCodec.decode(content.getTree());
        UsageError.require(
                structure.leafCount() == content.getLeavesCount(),
                "a published tree of %d arrays comes with %d",
                structure.leafCount(),
                content.getLeavesCount());
        return new WrittenTree(
                structure, content.getLeavesList().stream().map(TreeCodec::decode).toList());
    }

    /// @param placed the arrays that travelled apart
    /// @return the tree's arrays in order
    /// @throws UsageError if one is missing
    public List<Array> arrays(List<? extends Array> placed) {
        var arrays = new ArrayList<Array>();
        for (var leaf : leaves) {
            arrays.add(
                    switch (leaf) {
                        case Leaf.Host(var value) -> value;
                        case Leaf.Placed(int index) -> {
                            UsageError.require(
                                    index >= 0 && index < placed.size(),
                                    "a published tree names array %d of %d",
                                    index,
                                    placed.size());
                            yield placed.get(index);
                        }
                    });
        }
        return arrays;
    }
}
