package org.meshbook.elastic.head;

import static org.meshbook.elastic.UsageError.require;

import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.meshbook.elastic.wire.proto.NamedProto;

/// What a session has published, by name. The head keeps it for whoever attaches next and believes
/// nothing of it but its size. On the head's thread only.
final class NameBoard {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]{0,63}");
    private static final int MOST = 256;
    private static final int MOST_BYTES = 16 << 20;

    private final TreeMap<String, NamedProto> named = new TreeMap<>();

    void put(NamedProto fresh) {
        var name = fresh.getName();
        require(
                NAME.matcher(name).matches(),
                "'%s' cannot be a name; use letters, digits, '_', '.' and '-', at most 64, as in"
                        + " params",
                name.length() > 64 ? name.substring(0, 64) + "…" : name);
        require(
                named.containsKey(name) || named.size() < MOST,
                "%d names are published, no more than %d can be; withdraw some",
                named.size(),
                MOST);
        long others =
                named.values().stream()
                        .filter(one -> !one.getName().equals(name))
                        .mapToLong(NamedProto::getSerializedSize)
                        .sum();
        require(
                others + fresh.getSerializedSize() <= MOST_BYTES,
                "'%s' takes %d KiB at the head, %d KiB of %d are free; put large arrays on a mesh"
                        + " before publishing them",
                name,
                fresh.getSerializedSize() >> 10,
                (MOST_BYTES - others) >> 10,
                MOST_BYTES >> 10);
        named.put(name, fresh);
    }

    void remove(String name) {
        require(
                named.remove(name) != null,
                "nothing is published as '%s'; there is %s",
                name,
                names().isEmpty() ? "nothing" : names());
    }

    void clear() {
        named.clear();
    }

    Collection<NamedProto> all() {
        return named.values();
    }

    List<String> names() {
        return List.copyOf(named.keySet());
    }
}
