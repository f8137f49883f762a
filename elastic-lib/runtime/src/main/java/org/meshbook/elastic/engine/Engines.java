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

    /// Yields an engine for this process, whichever that is.
    ///
    /// @param name an engine's name
    /// @return a fresh instance of that engine
    /// @throws UsageError if there is none of that name, or it runs in workers only
    public static Engine named(String name) {
        var engine = find(name);
        UsageError.require(
                !engine.canEndProcess(),
                "engine '%s' runs in workers only, since a fault in it ends the process; start some"
                        + " with it, as in %%slices 1 --engine %s",
                name,
                name);
        return engine;
    }

    /// Yields an engine for a worker.
    ///
    /// @param name an engine's name
    /// @return a fresh instance of that engine, with all that it needs there
    /// @throws UsageError if there is none of that name, or it lacks something
    public static Engine inWorker(String name) {
        var engine = find(name);
        engine.prepare();
        return engine;
    }

    /// Looks whether workers on this machine could run with an engine.
    ///
    /// @param name an engine's name
    /// @throws UsageError if there is none of that name, or it lacks something; says how to get it
    public static void check(String name) {
        find(name).prepare();
    }

    private static Engine find(String name) {
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
