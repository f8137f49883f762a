package org.meshbook.cluster.embedded;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.ApiException.Cause;
import org.meshbook.cluster.Cluster.WriteOptions;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Profile;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.cluster.Validation;
import org.meshbook.cluster.schema.Conversion;
import org.meshbook.cluster.schema.FieldSets;
import org.meshbook.cluster.schema.NameRules;
import org.meshbook.cluster.schema.ObjectSchema;
import org.meshbook.cluster.schema.Schemas;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Reads what a request brings, and checks what it comes to.
///
/// Kueue's objects are kept as `v1beta2` under every profile. Under 0.14, which serves `v1beta1`
/// only, the controllers of this process go on to write `v1beta2`: a write that ignores unknown
/// fields is theirs, and no schema of that version is there to look at it.
final class Intake {
    private static final String OLD = "kueue.x-k8s.io/v1beta1";

    private final Profile profile;

    Intake(Profile profile) {
        this.profile = profile;
    }

    /// @param object what a request brings, in any version that is served
    /// @return its kind, in the version of the request
    ResourceKind kind(Resource object) {
        var version = object.text("apiVersion");
        var kind = object.text("kind");
        return Kinds.find(version, kind).orElseThrow(() -> noMatch(version, kind));
    }

    private static ApiException noMatch(String version, String kind) {
        return new ApiException(
                404,
                "NotFound",
                "no matches for kind \"%s\" in version \"%s\"".formatted(kind, version),
                List.of());
    }

    private Optional<ObjectSchema> schema(ResourceKind kind, Validation validation) {
        var schema = Schemas.of(profile, kind);
        boolean ours = validation == Validation.IGNORE && Kinds.kept(kind).equals(kind);
        if (schema.isEmpty() && !ours) {
            throw noMatch(kind.apiVersion(), kind.kind());
        }
        return schema;
    }

    /// @param kind kind in the version of a request
    /// @return tells the fields of its objects apart
    FieldSets fields(ResourceKind kind) {
        return new FieldSets(
                Schemas.of(profile, kind)
                        .orElseThrow(() -> noMatch(kind.apiVersion(), kind.kind())));
    }

    /// Takes unknown fields out, fills defaults in, and turns the object into the version in which
    /// it is kept.
    ///
    /// @param object what a request brings
    /// @param options how
    /// @return what to go on with
    /// @throws ApiException if unknown fields are refused
    Resource read(Resource object, WriteOptions options) {
        var kind = kind(object);
        var schema = schema(kind, options.validation()).orElse(null);
        if (kind.apiVersion().equals(OLD) && profile != Profile.V0_14) {
            options.warnings().accept("This version is deprecated. Use v1beta2 instead.");
        }
        if (schema == null) {
            return object;
        }
        texts(kind, object, "annotations");
        texts(kind, object, "labels");
        var json = object.json().deepCopy();
        unknown(kind, schema.prune(json), options);
        schema.fill(json);
        Builtins.fill(kind, json);
        if (!Kinds.kept(kind).equals(kind)) {
            // Words that only the old version refuses are gone once it is turned into the new one.
            refuse(kind, object, schema.check(json, Optional.empty()));
        }
        return Conversion.kept(new Resource(json));
    }

    private static void texts(ResourceKind kind, Resource object, String field) {
        for (var value : object.at("metadata", field).values()) {
            if (!value.isString() && !value.isNull()) {
                throw undecodable(
                        kind,
                        ("json: cannot unmarshal %s into Go struct field ObjectMeta.metadata.%s of"
                                        + " type string")
                                .formatted(goType(value), field));
            }
        }
    }

    private static String goType(JsonNode value) {
        return value.isBoolean() ? "bool" : value.getNodeType().name().toLowerCase(Locale.ROOT);
    }

    private static ApiException undecodable(ResourceKind kind, String why) {
        return new ApiException(
                400,
                "BadRequest",
                "%1$s in version \"%2$s\" cannot be handled as a %1$s: %3$s"
                        .formatted(kind.kind(), kind.version(), why),
                List.of());
    }

    private static void unknown(ResourceKind kind, List<String> fields, WriteOptions options) {
        if (fields.isEmpty() || options.validation() == Validation.IGNORE) {
            return;
        }
        var texts = fields.stream().map("unknown field \"%s\""::formatted).toList();
        if (options.validation() == Validation.WARN) {
            texts.forEach(options.warnings());
            return;
        }
        throw undecodable(kind, "strict decoding error: " + String.join(", ", texts));
    }

    /// Checks an object against its schema in the version of the request.
    ///
    /// @param object as it is kept
    /// @param before what it replaces, as it is kept; empty if it is new
    /// @param kind kind in the version of the request
    /// @throws ApiException if it is not valid, with all causes
    void check(Resource object, Optional<Resource> before, ResourceKind kind) {
        List<Cause> causes = new ArrayList<>(NameRules.check(kind, object));
        var schema = Schemas.of(profile, kind).orElse(null);
        if (schema != null) {
            causes.addAll(
                    schema.check(in(object, kind), before.map(resource -> in(resource, kind))));
        }
        causes.addAll(Builtins.check(object, before));
        refuse(kind, object, causes);
    }

    private static void refuse(ResourceKind kind, Resource object, List<Cause> causes) {
        if (!causes.isEmpty()) {
            throw ApiException.invalid(kind, object.name(), causes);
        }
    }

    private ObjectNode in(Resource object, ResourceKind kind) {
        return Conversion.in(object, kind.apiVersion(), profile).json();
    }

    /// @param object as it is kept
    /// @param kind kind in the version that is asked for
    /// @return it, in that version
    Resource show(Resource object, ResourceKind kind) {
        return Conversion.in(object, kind.apiVersion(), profile);
    }
}
