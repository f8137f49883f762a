package org.meshbook.kernel.cell;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Collectors;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.kernel.spi.Nearest;

/// Every magic by its name.
final class Magics {
    private final Map<String, Magic> byName = new ConcurrentSkipListMap<>();

    Magics(List<Magic> magics) {
        magics.forEach(magic -> byName.putIfAbsent(magic.name(), magic));
    }

    /// Adds magics that came while cells were run; the latest of a name wins.
    void add(List<Magic> more) {
        more.forEach(magic -> byName.put(magic.name(), magic));
    }

    Optional<Magic> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    List<Magic> all() {
        return List.copyOf(byName.values());
    }

    /// @return one line for a name that nobody knows
    String unknown(String percents, String name) {
        var near =
                byName.values().stream()
                        .filter(known -> isNear(name, known.name()))
                        .map(known -> percents(known, percents) + known.name())
                        .collect(Collectors.joining(" or "));
        return near.isEmpty()
                ? "no magic named %s%s; %%magics lists all".formatted(percents, name)
                : "no magic named %s%s; did you mean %s?".formatted(percents, name, near);
    }

    private static String percents(Magic magic, String typed) {
        return switch (magic.form()) {
            case LINE -> "%";
            case CELL -> "%%";
            case LINE_AND_CELL -> typed;
        };
    }

    private static boolean isNear(String typed, String known) {
        var a = typed.toLowerCase(Locale.ROOT);
        var b = known.toLowerCase(Locale.ROOT);
        return Nearest.distance(a, b) <= Math.max(1, Math.min(a.length(), b.length()) / 3)
                || (a.length() >= 3 && (b.startsWith(a) || a.startsWith(b)));
    }
}
