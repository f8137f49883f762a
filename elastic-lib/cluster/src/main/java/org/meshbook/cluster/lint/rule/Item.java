package org.meshbook.cluster.lint.rule;

import org.meshbook.cluster.ResourceKind;
import org.meshbook.cluster.manifest.Document;
import org.meshbook.cluster.manifest.Value;

/// One object and the text that it stands in.
///
/// @param source the text
/// @param document the object
public record Item(Source source, Document document) {
    /// @param steps names of fields
    /// @return what lies there
    public Value at(String... steps) {
        return document.at(steps);
    }

    /// @param path a field, as API servers name it
    /// @return what lies there
    public Value find(String path) {
        return document.find(path);
    }

    /// @param steps names of fields
    /// @return the text there
    public String text(String... steps) {
        return document.text(steps);
    }

    /// @param kind a kind
    /// @return whether it is one of those
    public boolean is(ResourceKind kind) {
        return document.is(kind);
    }

    /// @return its name
    public String name() {
        return document.name();
    }

    /// @return its namespace
    public String namespace() {
        return document.namespace();
    }

    /// @return the version that it names, such as `v1beta1`
    public String version() {
        var api = text("apiVersion");
        return api.substring(api.indexOf('/') + 1);
    }

    /// @return what a person calls it, such as `JobSet "train"`
    public String title() {
        return "%s \"%s\"".formatted(text("kind"), name());
    }
}
