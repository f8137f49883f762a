package org.meshbook.elastic.engine.xla;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.meshbook.elastic.UsageError;

/// Where the library is that brings XLA: the one that `MESHBOOK_PJRT_PLUGIN` names, else the one
/// that `meshbook engine install xla` has put into the user's data folder.
///
/// @param library the file
/// @param from what led to it, in words
public record Plugin(Path library, String from) {
    /// Names any PJRT plugin, for a CPU, a GPU or a TPU.
    public static final String VARIABLE = "MESHBOOK_PJRT_PLUGIN";

    /// Name of the installed library within [#folder()].
    public static final String LIBRARY = "pjrt_c_api_cpu_plugin.so";

    /// @return the plugin that this process would use, if there is one
    /// @throws UsageError if `MESHBOOK_PJRT_PLUGIN` names no file
    public static Optional<Plugin> find() {
        return find(System.getenv());
    }

    static Optional<Plugin> find(Map<String, String> environment) {
        var named = environment.getOrDefault(VARIABLE, "");
        if (!named.isBlank()) {
            var library = Path.of(named);
            UsageError.require(
                    Files.isRegularFile(library),
                    "%s names '%s', which is no file; name a PJRT plugin, or unset it",
                    VARIABLE,
                    library);
            return Optional.of(new Plugin(library.toAbsolutePath(), VARIABLE));
        }
        var installed = folder(environment).resolve(LIBRARY);
        return Files.isRegularFile(installed)
                ? Optional.of(new Plugin(installed, "installed"))
                : Optional.empty();
    }

    /// @return the plugin
    /// @throws UsageError if there is none; says how to get one
    static Plugin require() {
        return find().orElseThrow(
                        () ->
                                new UsageError(
                                        "engine 'xla' needs a PJRT plugin and there is none in"
                                                + " '%s'; get one by ./meshbook engine install xla,"
                                                + " or name one in %s",
                                        folder(), VARIABLE));
    }

    /// Where the installed plugin lies: `$XDG_DATA_HOME/meshbook/engines/xla`, or
    /// `~/.local/share/meshbook/engines/xla` without the variable.
    ///
    /// @return the folder, whether or not it is there
    public static Path folder() {
        return folder(System.getenv());
    }

    private static Path folder(Map<String, String> environment) {
        return home(environment, "XDG_DATA_HOME", ".local/share").resolve("engines").resolve("xla");
    }

    /// Where this user's programs keep things of one kind.
    static Path home(Map<String, String> environment, String variable, String otherwise) {
        var set = environment.getOrDefault(variable, "");
        var base =
                set.isBlank()
                        ? Path.of(System.getProperty("user.home", ".")).resolve(otherwise)
                        : Path.of(set);
        return base.resolve("meshbook");
    }

    /// Tells one build of a plugin from another. To read 200 MB for a hash would take longer than
    /// most programs take to compile, so a file is known by its place, size and time.
    String identity() {
        try {
            var real = library.toRealPath();
            return real + " " + Files.size(real) + " " + Files.getLastModifiedTime(real).toMillis();
        } catch (IOException e) {
            throw new UsageError(
                    "'%s' cannot be read: %s", library, String.valueOf(e.getMessage()));
        }
    }
}
