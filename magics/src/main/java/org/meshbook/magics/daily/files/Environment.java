package org.meshbook.magics.daily.files;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.regex.Pattern;

/// The environment of the processes that magics start: this process's own, and what `%env` changed.
/// Thread-safe.
public final class Environment {
    private static final Pattern SECRET =
            Pattern.compile(
                    "(?i).*(TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|APIKEY|KEY).*");

    /// Name to its new value; empty if it was taken away.
    private final Map<String, Optional<String>> changed = new ConcurrentSkipListMap<>();

    void put(String name, String value) {
        changed.put(name, Optional.of(value));
    }

    void remove(String name) {
        changed.put(name, Optional.empty());
    }

    boolean isChanged(String name) {
        return changed.containsKey(name);
    }

    Map<String, String> all() {
        var all = new TreeMap<>(System.getenv());
        apply(all);
        return all;
    }

    void apply(Map<String, String> environment) {
        changed.forEach(
                (name, value) ->
                        value.ifPresentOrElse(
                                v -> environment.put(name, v), () -> environment.remove(name)));
    }

    /// @return whether its value should not stand on a screen
    static boolean isSecret(String name) {
        return SECRET.matcher(name).matches();
    }
}
