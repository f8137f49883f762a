package org.meshbook.elastic.engine;

import java.util.List;
import java.util.ServiceLoader;
import org.meshbook.elastic.UsageError;

/// The engines on the class path.
public final class Engines {
    private Engines() {}

    /// @return names of all engines, sorted
    public static List<String> available() {
        return loader().stream().map(found -> found.get().name()).sorted().toList();
    }

    /// @param name an engine's name
    /// @return a fresh instance of that engine
    /// @throws UsageError if there is none of that name; lists the names there are
    public static Engine named(String name) {
        for (var engine : loader()) {
            if (engine.name().equals(name)) {
                return engine;
            }
        }
        throw new UsageError("no engine named '%s'; there are %s", name, available());
    }

    private static ServiceLoader<Engine> loader() {
        return ServiceLoader.load(Engine.class, Engine.class.getClassLoader());
    }
}
