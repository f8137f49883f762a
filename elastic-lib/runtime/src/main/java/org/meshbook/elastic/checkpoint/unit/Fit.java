package org.meshbook.elastic.checkpoint.unit;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.meshbook.elastic.array.Structure;

/// Puts saved values into the classes of a pattern: a record that was declared again in another
/// cell has the same fields and another class.
///
/// A part without arrays is taken as it was saved, so that a list that has grown meanwhile fits; a
/// part with arrays must have as many.
final class Fit {
    private final List<String> wrong = new ArrayList<>();

    /// @return what does not fit, one line a path
    List<String> wrong() {
        return wrong;
    }

    Structure adapt(Structure saved, Structure asked, String path) {
        return switch (saved) {
            case Structure.Leaf leaf when asked instanceof Structure.Leaf -> leaf;
            case Structure.Plain(var value) when asked instanceof Structure.Plain(var pattern) ->
                    new Structure.Plain(plain(value, pattern));
            case Structure.Items(var mine)
                    when asked instanceof Structure.Items(var theirs)
                            && (mine.size() == theirs.size() || free(saved, asked)) ->
                    new Structure.Items(items(mine, theirs, path));
            case Structure.Entries(var keys, var mine)
                    when asked instanceof Structure.Entries(var asks, var theirs)
                            && (keys.equals(asks) || free(saved, asked)) ->
                    new Structure.Entries(keys, entries(keys, mine, asks, theirs, path));
            case Structure.Fields fields
                    when asked instanceof Structure.Fields other
                            && fields.shape().names().equals(other.shape().names()) ->
                    fields(fields, other, path);
            case Structure.Maybe(var mine) when asked instanceof Structure.Maybe(var theirs) ->
                    new Structure.Maybe(
                            mine.map(
                                    inner ->
                                            theirs.map(like -> adapt(inner, like, path))
                                                    .orElse(inner)));
            case Structure.Leaf _,
                    Structure.Plain _,
                    Structure.Items _,
                    Structure.Entries _,
                    Structure.Fields _,
                    Structure.Maybe _ -> {
                wrong.add("'%s' is %s, asked for %s".formatted(path, word(saved), word(asked)));
                yield saved;
            }
        };
    }

    private static boolean free(Structure saved, Structure asked) {
        return saved.leafCount() == 0 && asked.leafCount() == 0;
    }

    private List<Structure> items(List<Structure> mine, List<Structure> theirs, String path) {
        return all(
                mine,
                i -> theirs.isEmpty() ? mine.get(i) : theirs.get(Math.min(i, theirs.size() - 1)),
                i -> path + "[" + i + "]");
    }

    private List<Structure> entries(
            List<Object> keys,
            List<Structure> mine,
            List<Object> asks,
            List<Structure> theirs,
            String path) {
        return all(
                mine,
                i -> {
                    int at = asks.indexOf(keys.get(i));
                    return at < 0 ? mine.get(i) : theirs.get(at);
                },
                i -> path + "[" + keys.get(i) + "]");
    }

    private Structure fields(Structure.Fields saved, Structure.Fields asked, String path) {
        var names = saved.shape().names();
        IntFunction<String> at = i -> path.isEmpty() ? names.get(i) : path + "." + names.get(i);
        var children = all(saved.children(), asked.children()::get, at);
        for (int i = 0; i < children.size(); i++) {
            if (children.get(i) instanceof Structure.Plain(var value)) {
                var thawed = value instanceof Frozen frozen ? frozen.thaw() : value;
                if (!asked.shape().accepts(i, thawed)) {
                    wrong.add(
                            "'%s' is %s, asked for %s"
                                    .formatted(
                                            at.apply(i),
                                            word(children.get(i)),
                                            word(asked.children().get(i))));
                }
            }
        }
        return new Structure.Fields(asked.shape(), children);
    }

    private List<Structure> all(
            List<Structure> mine, IntFunction<Structure> theirs, IntFunction<String> path) {
        var all = new ArrayList<Structure>();
        for (int i = 0; i < mine.size(); i++) {
            all.add(adapt(mine.get(i), theirs.apply(i), path.apply(i)));
        }
        return all;
    }

    /// An enum that was declared again has the same names; one of another program is but its name.
    private static Object plain(Object saved, Object pattern) {
        if (pattern instanceof Enum<?> theirs) {
            var name = saved instanceof Enum<?> mine ? mine.name() : saved;
            for (var constant : theirs.getDeclaringClass().getEnumConstants()) {
                if (constant.name().equals(name)) {
                    return constant;
                }
            }
        }
        return saved;
    }

    private static String word(Structure structure) {
        return switch (structure) {
            case Structure.Leaf _ -> "an array";
            case Structure.Plain(Frozen frozen) -> "a " + frozen;
            case Structure.Plain(var value) -> "a " + value.getClass().getSimpleName();
            case Structure.Items(var items) -> "a list of " + items.size();
            case Structure.Entries(var keys, _) -> "a map of " + keys;
            case Structure.Fields(var shape, _) -> "a record of " + shape.names();
            case Structure.Maybe(var child) -> child.isPresent() ? "present" : "empty";
        };
    }
}
