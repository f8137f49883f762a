package org.meshbook.elastic.jit;

import java.util.List;
import org.meshbook.elastic.MeshMismatch;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.Structure;

/// Trees that must be alike, and what is said where they are not.
///
/// @param asker the function that the user called
/// @param wanted words for the tree that is asked for, as `carry that goes in`
/// @param found words for the tree that is there, as `carry that comes out`
/// @param fix what to do
record Matching(String asker, String wanted, String found, String fix) {

    void check(
            Structure wantedTree,
            List<ArrayType> wantedTypes,
            Structure foundTree,
            List<ArrayType> foundTypes) {
        if (!wantedTree.equals(foundTree)) {
            throw new MeshMismatch(
                    "%s: the %s has leaves %s, the %s %s, or they differ in class or plain values;"
                            + " %s",
                    asker, wanted, named(wantedTree), found, named(foundTree), fix);
        }
        for (int i = 0; i < wantedTypes.size(); i++) {
            if (!wantedTypes.get(i).equals(foundTypes.get(i))) {
                var path = wantedTree.paths().get(i);
                throw new MeshMismatch(
                        "%s: %s%s in the %s and %s in the %s; %s",
                        asker,
                        path.isEmpty() ? "the array is " : "leaf '" + path + "' is ",
                        wantedTypes.get(i),
                        wanted,
                        foundTypes.get(i),
                        found,
                        fix);
            }
        }
    }

    private static List<String> named(Structure tree) {
        return tree.paths().stream().map(path -> path.isEmpty() ? "(itself)" : path).toList();
    }
}
