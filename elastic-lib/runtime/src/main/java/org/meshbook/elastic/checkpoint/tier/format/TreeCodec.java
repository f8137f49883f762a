package org.meshbook.elastic.checkpoint.tier.format;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Structure;

/// A tree without its arrays as JSON, so that it can be compared with another one years later.
///
/// Each node is an object with one member: `array`, `list`, `map`, `record`, `optional`, or the
/// type of a plain value, as `{"long": "12800"}`.
public final class TreeCodec {
    private TreeCodec() {}

    /// @param structure what is left of a tree
    /// @return maps, lists and strings for JSON
    /// @throws UsageError if a value changes after the save, as an AtomicLong
    public static Object encode(Structure structure) {
        return switch (structure) {
            case Structure.Leaf _ -> Map.of("array", true);
            case Structure.Plain(var value) -> plain(value);
            case Structure.Items(var children) -> Map.of("list", all(children));
            case Structure.Entries(var keys, var children) ->
                    Map.of(
                            "map",
                            List.of(keys.stream().map(TreeCodec::plain).toList(), all(children)));
            case Structure.Fields(var shape, var children) -> {
                var fields = new LinkedHashMap<String, Object>();
                for (int i = 0; i < children.size(); i++) {
                    fields.put(shape.names().get(i), encode(children.get(i)));
                }
                yield Map.of("record", fields);
            }
            case Structure.Maybe(var child) ->
                    Map.of("optional", child.stream().map(TreeCodec::encode).toList());
        };
    }

    private static List<Object> all(List<Structure> children) {
        return children.stream().map(TreeCodec::encode).toList();
    }

    private static Map<String, Object> plain(Object value) {
        var type =
                switch (value) {
                    case Byte _ -> "byte";
                    case Short _ -> "short";
                    case Integer _ -> "int";
                    case Long _ -> "long";
                    case Float _ -> "float";
                    case Double _ -> "double";
                    case BigInteger _ -> "integer";
                    case BigDecimal _ -> "decimal";
                    case Boolean _ -> "boolean";
                    case Character _ -> "char";
                    case String _ -> "string";
                    case Enum<?> _ -> "enum";
                    default ->
                            throw new UsageError(
                                    "a checkpoint cannot hold a %s, which changes after the save;"
                                            + " use a long or a double",
                                    value.getClass().getSimpleName());
                };
        return Map.of(type, value instanceof Enum<?> constant ? constant.name() : value.toString());
    }

    /// The saved tree in the classes of another one.
    ///
    /// @param saved as [#encode] wrote it
    /// @param like a tree with the same fields
    /// @param wrong gets one text for each path that does not fit
    /// @return the structure of `like` with the values that were saved
    public static Structure decode(Object saved, Structure like, List<String> wrong) {
        return decode(saved, like, "", wrong);
    }

    private static Structure decode(Object saved, Structure like, String path, List<String> wrong) {
        var node = node(saved);
        var inner = node.getValue();
        return switch (like) {
            case Structure.Leaf leaf when node.getKey().equals("array") -> leaf;
            case Structure.Plain(var now) when value(node, now).isPresent() ->
                    new Structure.Plain(value(node, now).orElseThrow());
            case Structure.Items(var children)
                    when node.getKey().equals("list") && list(inner).size() == children.size() ->
                    new Structure.Items(
                            all(list(inner), children, i -> path + "[" + i + "]", wrong));
            case Structure.Entries(var keys, var children)
                    when node.getKey().equals("map")
                            && list(list(inner).getFirst())
                                    .equals(keys.stream().map(TreeCodec::plain).toList()) ->
                    new Structure.Entries(
                            keys,
                            all(
                                    list(list(inner).getLast()),
                                    children,
                                    i -> path + "[" + keys.get(i) + "]",
                                    wrong));
            case Structure.Fields(var shape, var children)
                    when inner instanceof Map<?, ?> fields
                            && node.getKey().equals("record")
                            && List.copyOf(fields.keySet()).equals(shape.names()) ->
                    new Structure.Fields(
                            shape,
                            all(
                                    List.copyOf(fields.values()),
                                    children,
                                    i -> join(path, shape.names().get(i)),
                                    wrong));
            case Structure.Maybe(var child)
                    when node.getKey().equals("optional")
                            && list(inner).isEmpty() == child.isEmpty() ->
                    new Structure.Maybe(
                            child.map(one -> decode(list(inner).getFirst(), one, path, wrong)));
            case Structure.Leaf _,
                    Structure.Plain _,
                    Structure.Items _,
                    Structure.Entries _,
                    Structure.Fields _,
                    Structure.Maybe _ -> {
                wrong.add(
                        "'%s' is %s, asked for %s"
                                .formatted(path, word(node), word(node(encode(like)))));
                yield like;
            }
        };
    }

    private interface Path {
        String of(int child);
    }

    private static List<Structure> all(
            List<?> saved, List<Structure> like, Path path, List<String> wrong) {
        var children = new ArrayList<Structure>();
        for (int i = 0; i < like.size(); i++) {
            children.add(decode(saved.get(i), like.get(i), path.of(i), wrong));
        }
        return children;
    }

    /// A plain value of the type that was saved; an enum's of the class that is asked for.
    private static Optional<Object> value(Map.Entry<?, ?> node, Object like) {
        var text = String.valueOf(node.getValue());
        try {
            return switch (String.valueOf(node.getKey())) {
                case "byte" -> Optional.of(Byte.valueOf(text));
                case "short" -> Optional.of(Short.valueOf(text));
                case "int" -> Optional.of(Integer.valueOf(text));
                case "long" -> Optional.of(Long.valueOf(text));
                case "float" -> Optional.of(Float.valueOf(text));
                case "double" -> Optional.of(Double.valueOf(text));
                case "integer" -> Optional.of(new BigInteger(text));
                case "decimal" -> Optional.of(new BigDecimal(text));
                case "boolean" -> Optional.of(Boolean.valueOf(text));
                case "char" -> Optional.of(text.charAt(0));
                case "string" -> Optional.of(text);
                case "enum" -> constant(text, like);
                default -> Optional.empty();
            };
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            throw new CheckpointCorrupt("'%s' is not a %s".formatted(text, node.getKey()));
        }
    }

    private static Optional<Object> constant(String name, Object like) {
        if (!(like instanceof Enum<?> constant)) {
            return Optional.empty();
        }
        for (Object each : constant.getDeclaringClass().getEnumConstants()) {
            if (((Enum<?>) each).name().equals(name)) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }

    private static Map.Entry<?, ?> node(Object saved) {
        if (saved instanceof Map<?, ?> map && map.size() == 1) {
            return map.entrySet().iterator().next();
        }
        throw new CheckpointCorrupt("its tree holds a node that this version does not know");
    }

    private static List<?> list(Object value) {
        if (value instanceof List<?> list) {
            return list;
        }
        throw new CheckpointCorrupt("its tree holds a node that this version does not know");
    }

    private static String word(Map.Entry<?, ?> node) {
        var inner = node.getValue();
        return switch (String.valueOf(node.getKey())) {
            case "array" -> "an array";
            case "list" -> "a list of " + list(inner).size();
            case "map" -> "a map of " + list(list(inner).getFirst()).size();
            case "record" -> "a record of " + ((Map<?, ?>) inner).keySet();
            case "optional" -> list(inner).isEmpty() ? "empty" : "present";
            default -> "the %s %s".formatted(node.getKey(), inner);
        };
    }

    private static String join(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }
}
