package org.meshbook.cluster.schema;

import dev.cel.common.CelValidationException;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.ApiException.Cause;
import org.meshbook.cluster.schema.Schema.Rule;
import tools.jackson.databind.JsonNode;

/// Evaluates the rules in CEL that a schema carries.
///
/// A part that is as it was is not looked at again, as in a cluster since 1.33. A rule that
/// compares with what was there is evaluated only if something was: in lists that are maps the item
/// of the same key, in other lists nothing.
final class Rules {
    private static final Map<String, CelRuntime.Program> COMPILED = new ConcurrentHashMap<>();

    private final CelValues values = new CelValues();
    private final List<Cause> causes;

    /// The compiler and the runtime, made when the first rule is needed.
    private static final class Cel {
        static final CelCompiler COMPILER =
                CelCompilerFactory.standardCelCompilerBuilder()
                        .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
                        .addVar("self", SimpleType.DYN)
                        .addVar("oldSelf", SimpleType.DYN)
                        .build();
        static final CelRuntime RUNTIME = CelRuntimeFactory.plannerRuntimeBuilder().build();
    }

    private Rules(List<Cause> causes) {
        this.causes = causes;
    }

    static void check(
            JsonNode object,
            Optional<? extends JsonNode> before,
            Schema schema,
            List<Cause> causes) {
        new Rules(causes).part(object, before.orElse(null), schema, "");
    }

    private void part(JsonNode now, @Nullable JsonNode before, Schema schema, String path) {
        if (!schema.ruled() || now.isNull() || (before != null && now.equals(before))) {
            return;
        }
        for (var rule : schema.rules()) {
            if (before != null || !rule.compares()) {
                evaluate(rule, now, before, schema, path);
            }
        }
        if (now.isObject()) {
            for (var field : now.properties()) {
                var name = field.getKey();
                var was = before == null ? null : before.get(name);
                schema.field(name)
                        .ifPresent(s -> part(field.getValue(), was, s, Fields.below(path, name)));
            }
        } else if (now.isArray()) {
            schema.items().ifPresent(items -> items(now, before, schema, items, path));
        }
    }

    private void items(
            JsonNode now, @Nullable JsonNode before, Schema list, Schema items, String path) {
        for (int i = 0; i < now.size(); i++) {
            var was = before == null ? null : sameKey(now.get(i), before, list.listKeys());
            part(now.get(i), was, items, path + "[" + i + "]");
        }
    }

    private static @Nullable JsonNode sameKey(JsonNode item, JsonNode list, List<String> keys) {
        if (keys.isEmpty()) {
            return null;
        }
        var key = Structure.keyOf(item, keys);
        return list.values().stream()
                .filter(other -> Structure.keyOf(other, keys).equals(key))
                .findFirst()
                .orElse(null);
    }

    private void evaluate(
            Rule rule, JsonNode now, @Nullable JsonNode before, Schema schema, String path) {
        var self = values.of(now, rule.self());
        Map<String, Object> variables =
                before == null
                        ? Map.of("self", self)
                        : Map.of("self", self, "oldSelf", values.of(before, rule.oldSelf()));
        var message = rule.message().isEmpty() ? "failed rule: " + rule.text() : rule.message();
        try {
            var program = COMPILED.computeIfAbsent(rule.text(), Rules::compiled);
            if (!Boolean.TRUE.equals(program.eval(variables))) {
                broken(path, schema, message);
            }
        } catch (CelEvaluationException failed) {
            broken(path, schema, failed.getMessage() + " evaluating rule: " + message);
        }
    }

    private void broken(String path, Schema schema, String message) {
        var value = "Invalid value: \"%s\": %s".formatted(schema.type(), message);
        causes.add(new Cause("FieldValueInvalid", path.isEmpty() ? "<nil>" : path, value));
    }

    private static CelRuntime.Program compiled(String rule) {
        try {
            return Cel.RUNTIME.createProgram(Cel.COMPILER.compile(rule).getAst());
        } catch (CelValidationException | CelEvaluationException broken) {
            throw new IllegalStateException("rule \"%s\" is no CEL".formatted(rule), broken);
        }
    }
}
