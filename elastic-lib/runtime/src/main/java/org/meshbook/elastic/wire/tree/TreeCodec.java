package org.meshbook.elastic.wire.tree;

import java.util.ArrayList;
import java.util.List;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.RecordShape;
import org.meshbook.elastic.array.Structure;
import org.meshbook.elastic.wire.ArrayCodec;
import org.meshbook.elastic.wire.proto.EntriesProto;
import org.meshbook.elastic.wire.proto.FieldsProto;
import org.meshbook.elastic.wire.proto.ItemsProto;
import org.meshbook.elastic.wire.proto.LeafProto;
import org.meshbook.elastic.wire.proto.MaybeProto;
import org.meshbook.elastic.wire.proto.TreeProto;

/// Structures and leaves of trees as protobuf.
final class TreeCodec {
    /// A tree is read by calls of itself: deeper ones are refused.
    private static final int DEEPEST = 100;

    private TreeCodec() {}

    static TreeProto encode(Structure node) {
        var tree = TreeProto.newBuilder();
        switch (node) {
            case Structure.Leaf _ -> tree.setLeaf(true);
            case Structure.Plain(var value) -> tree.setPlain(Plains.encode(value));
            case Structure.Items(var children) ->
                    tree.setItems(ItemsProto.newBuilder().addAllChildren(encode(children)));
            case Structure.Entries(var keys, var children) ->
                    tree.setEntries(
                            EntriesProto.newBuilder()
                                    .addAllKeys(keys.stream().map(Plains::encode).toList())
                                    .addAllChildren(encode(children)));
            case Structure.Fields(var shape, var children) ->
                    tree.setFields(
                            FieldsProto.newBuilder()
                                    .setType(shape.typeName())
                                    .addAllNames(shape.names())
                                    .addAllChildren(encode(children)));
            case Structure.Maybe(var child) ->
                    tree.setMaybe(
                            MaybeProto.newBuilder().addAllChild(encode(child.stream().toList())));
        }
        return tree.build();
    }

    private static List<TreeProto> encode(List<Structure> children) {
        return children.stream().map(TreeCodec::encode).toList();
    }

    static Structure decode(TreeProto tree) {
        return decode(tree, 0);
    }

    private static Structure decode(TreeProto tree, int depth) {
        UsageError.require(depth < DEEPEST, "a published tree is deeper than %d", DEEPEST);
        return switch (tree.getNodeCase()) {
            case LEAF -> new Structure.Leaf();
            case PLAIN -> new Structure.Plain(Plains.decode(tree.getPlain()));
            case ITEMS -> new Structure.Items(all(tree.getItems().getChildrenList(), depth));
            case ENTRIES -> {
                var entries = tree.getEntries();
                requireSame(entries.getKeysCount(), entries.getChildrenCount());
                List<Object> keys = new ArrayList<>();
                entries.getKeysList().forEach(key -> keys.add(Plains.decode(key)));
                yield new Structure.Entries(keys, all(entries.getChildrenList(), depth));
            }
            case FIELDS -> {
                var fields = tree.getFields();
                requireSame(fields.getNamesCount(), fields.getChildrenCount());
                yield new Structure.Fields(
                        RecordShape.named(fields.getType(), List.copyOf(fields.getNamesList())),
                        all(fields.getChildrenList(), depth));
            }
            case MAYBE ->
                    new Structure.Maybe(
                            all(tree.getMaybe().getChildList(), depth).stream().findFirst());
            case NODE_NOT_SET ->
                    throw new UsageError(
                            "a published tree has a part that this version does not know");
        };
    }

    private static List<Structure> all(List<TreeProto> children, int depth) {
        return children.stream().map(child -> decode(child, depth + 1)).toList();
    }

    private static void requireSame(int names, int children) {
        UsageError.require(
                names == children,
                "a published tree has %d names for %d children",
                names,
                children);
    }

    // ---- leaves

    static LeafProto encode(WrittenTree.Leaf leaf) {
        return switch (leaf) {
            case WrittenTree.Leaf.Host(var value) ->
                    LeafProto.newBuilder()
                            .setType(ArrayCodec.toProto(value.type()))
                            .setHost(true)
                            .setData(ArrayCodec.bytes(value))
                            .build();
            case WrittenTree.Leaf.Placed(int index) ->
                    LeafProto.newBuilder().setArray(index).build();
        };
    }

    static WrittenTree.Leaf decode(LeafProto leaf) {
        return leaf.getHost()
                ? new WrittenTree.Leaf.Host(
                        ArrayCodec.array(ArrayCodec.fromProto(leaf.getType()), leaf.getData()))
                : new WrittenTree.Leaf.Placed(leaf.getArray());
    }
}
