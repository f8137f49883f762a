package org.meshbook.cluster.manifest;

import java.util.ArrayList;
import java.util.List;

/// What stands in one file or cell.
///
/// @param name the file's name, as error texts give it
/// @param text its text
/// @param documents the objects in it, in order; items of a `List` one by one
/// @param faults why parts of it cannot be read, in order
public record Manifest(String name, String text, List<Document> documents, List<Fault> faults) {
    public Manifest {
        documents = List.copyOf(documents);
        faults = List.copyOf(faults);
    }

    /// Reads as far as it can: a part that cannot be read is a fault and hides no other part.
    ///
    /// @param name the file's name
    /// @param text YAML or JSON
    /// @return what stands there; never throws
    public static Manifest read(String name, String text) {
        var documents = new ArrayList<Document>();
        var faults = new ArrayList<Fault>();
        for (var part : Part.of(text)) {
            new PartReader(name, part).read(documents, faults);
        }
        return new Manifest(name, text, documents, faults);
    }

    /// @return the documents, if all of the text can be read
    /// @throws ManifestException if some of it cannot, with kubectl's text
    public List<Document> complete() {
        if (!faults.isEmpty()) {
            throw new ManifestException(faults.getFirst());
        }
        return documents;
    }

    /// @param line a line's number, from 1
    /// @return the line, without its end; empty beyond the text
    public String line(int line) {
        return text.lines().skip(Math.max(0, line - 1L)).findFirst().orElse("");
    }
}
