package org.meshbook.cluster.lint.rule;

import java.util.List;
import java.util.stream.Stream;
import org.meshbook.cluster.Profile;
import org.meshbook.cluster.ResourceKind;

/// All that is linted together, for one release of Kueue.
///
/// @param sources the manifests
/// @param texts the documents that they were found in; none if they are files of their own
/// @param kueue the release
public record Subject(List<Source> sources, List<Text> texts, Profile kueue) {
    public Subject {
        sources = List.copyOf(sources);
        texts = List.copyOf(texts);
    }

    /// @return all objects, in order
    public Stream<Item> items() {
        return sources.stream()
                .flatMap(s -> s.manifest().documents().stream().map(d -> new Item(s, d)));
    }

    /// @param kind a kind
    /// @return the objects of that kind, in order
    public Stream<Item> items(ResourceKind kind) {
        return items().filter(item -> item.is(kind));
    }
}
