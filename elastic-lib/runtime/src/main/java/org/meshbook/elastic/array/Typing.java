package org.meshbook.elastic.array;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.meshbook.elastic.MeshMismatch;

/// Puts a structure into the classes of a type; what the type does not say stays as it is.
///
/// @param variables what type variables stand for here
record Typing(Map<TypeVariable<?>, Type> variables) {
    Structure typed(Structure node, Type declared, String path) {
        var type = declared instanceof TypeVariable<?> v ? variables.getOrDefault(v, v) : declared;
        return switch (node) {
            case Structure.Leaf leaf -> {
                check(raw(type).isAssignableFrom(Array.class), path, "an array", type);
                yield leaf;
            }
            case Structure.Plain(var value) -> plain(value, type, path);
            case Structure.Maybe(var child) -> {
                check(raw(type).isAssignableFrom(Optional.class), path, "an Optional", type);
                yield new Structure.Maybe(
                        child.map(inner -> typed(inner, argument(type, 0), path)));
            }
            case Structure.Items(var children) -> {
                check(raw(type).isAssignableFrom(List.class), path, "a list", type);
                var all = new ArrayList<Structure>();
                for (var child : children) {
                    all.add(typed(child, argument(type, 0), path + "[" + all.size() + "]"));
                }
                yield new Structure.Items(all);
            }
            case Structure.Entries(var keys, var children) -> {
                check(raw(type).isAssignableFrom(Map.class), path, "a map", type);
                var all = new ArrayList<Structure>();
                for (var child : children) {
                    var key = keys.get(all.size());
                    all.add(typed(child, argument(type, 1), path + "[" + key + "]"));
                }
                yield new Structure.Entries(keys, all);
            }
            case Structure.Fields fields -> fields(fields, type, path);
        };
    }

    private Structure fields(Structure.Fields fields, Type type, String path) {
        var shape = raw(type).isRecord() ? RecordShape.of(raw(type)) : fields.shape();
        check(
                shape.names().equals(fields.shape().names()),
                path,
                "a record " + fields.shape(),
                type);
        var inner = new Typing(arguments(type));
        var all = new ArrayList<Structure>();
        for (var child : fields.children()) {
            int i = all.size();
            var declared = shape.types().isEmpty() ? Object.class : shape.types().get(i);
            var name = shape.names().get(i);
            all.add(inner.typed(child, declared, path.isEmpty() ? name : path + "." + name));
        }
        return new Structure.Fields(shape, all);
    }

    private static Structure plain(Object value, Type type, String path) {
        var wanted = raw(type);
        if (wanted.isEnum()) {
            for (var constant : wanted.getEnumConstants()) {
                if (((Enum<?>) constant).name().equals(value.toString())) {
                    return new Structure.Plain(constant);
                }
            }
            throw mismatch(path, "'" + value + "'", type);
        }
        check(
                wanted.isPrimitive() || wanted.isInstance(value),
                path,
                "a " + value.getClass().getSimpleName(),
                type);
        return new Structure.Plain(value);
    }

    private Map<TypeVariable<?>, Type> arguments(Type type) {
        var map = new HashMap<TypeVariable<?>, Type>();
        var parameters = raw(type).getTypeParameters();
        for (int i = 0; i < parameters.length; i++) {
            map.put(parameters[i], argument(type, i));
        }
        return map;
    }

    private Type argument(Type type, int index) {
        if (type instanceof ParameterizedType p && index < p.getActualTypeArguments().length) {
            var argument = p.getActualTypeArguments()[index];
            return argument instanceof TypeVariable<?> v
                    ? variables.getOrDefault(v, Object.class)
                    : argument;
        }
        return Object.class;
    }

    private static Class<?> raw(Type type) {
        return switch (type) {
            case Class<?> c -> c;
            case ParameterizedType p -> raw(p.getRawType());
            default -> Object.class;
        };
    }

    private static void check(boolean fits, String path, String found, Type asked) {
        if (!fits) {
            throw mismatch(path, found, asked);
        }
    }

    private static MeshMismatch mismatch(String path, String found, Type asked) {
        return new MeshMismatch(
                "%s is %s, not %s; ask for what was published",
                path.isEmpty() ? "what was published" : "'" + path + "'",
                found,
                asked instanceof Class<?> c ? c.getSimpleName() : asked.getTypeName());
    }
}
