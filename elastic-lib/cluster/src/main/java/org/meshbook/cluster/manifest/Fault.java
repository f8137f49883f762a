package org.meshbook.cluster.manifest;

/// Why a part of a manifest cannot be read.
///
/// @param kind what is wrong
/// @param place where
/// @param problem kubectl's words for it, such as `yaml: line 9: could not find expected ':'`
/// @param text all that kubectl prints, with the file's name
public record Fault(Kind kind, Place place, String problem, String text) {
    /// What can be wrong.
    public enum Kind {
        /// It is not YAML.
        SYNTAX,
        /// It is YAML, but no JSON can say the same.
        NO_JSON,
        /// It is no object with an apiVersion and a kind.
        NO_OBJECT
    }

    static Fault syntax(Kind kind, String name, Place place, String problem) {
        return new Fault(kind, place, problem, "error parsing " + name + ": " + problem);
    }

    static Fault invalid(String name, Place place, String problem) {
        return new Fault(
                Kind.NO_OBJECT,
                place,
                problem,
                ("error validating \"%s\": error validating data: %s; if you choose to ignore these"
                                + " errors, turn validation off with --validate=false")
                        .formatted(name, problem));
    }
}
