package org.meshbook.magics.jobs.door;

import java.io.IOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.manifest.Manifest;
import org.meshbook.cluster.manifest.Parameters;
import org.meshbook.kernel.spi.MagicException;
import org.meshbook.kernel.spi.Workspace.Variable;
import org.meshbook.magics.daily.files.Folder;

/// Reads manifests for magics: `${NAME}` is filled from what was typed, from Java variables, from
/// the environment, in this order.
public final class Manifests {
    private static final String DEFAULT = "default";

    private Manifests() {}

    /// @param command who reads, for errors
    /// @param file the file
    /// @param variables what `${NAME}` may mean
    /// @return its objects, in order
    /// @throws MagicException if it cannot be read or is no manifest; nothing of it is used then
    public static List<Resource> ofFile(String command, String file, List<Variable> variables) {
        return ofFile(command, file, values(List.of(), variables));
    }

    /// @param command who reads, for errors
    /// @param file the file
    /// @param values what `${NAME}` means
    /// @return its objects, in order
    /// @throws MagicException as [#ofFile(String, String, List)]
    public static List<Resource> ofFile(String command, String file, Map<String, String> values) {
        var path = Folder.resolve(file);
        try {
            return of(command, file, Files.readString(path), values);
        } catch (IOException e) {
            throw new MagicException(
                    "%s cannot read '%s': %s%s"
                            .formatted(
                                    command,
                                    file,
                                    Files.exists(path) ? e.getMessage() : "no such file",
                                    Folder.near(path)));
        }
    }

    /// @param command who reads, for errors
    /// @param name what the text is called in errors
    /// @param text a manifest
    /// @param values what `${NAME}` means
    /// @return its objects, in order
    /// @throws MagicException as [#ofFile(String, String, List)]
    public static List<Resource> of(
            String command, String name, String text, Map<String, String> values) {
        var filled = Parameters.fill(text, values);
        var manifest = Manifest.read(name, filled.text());
        for (var fault : manifest.faults()) {
            throw new MagicException(
                    "%s: %s:%s: %s".formatted(command, name, fault.place(), fault.problem()));
        }
        return manifest.complete().stream().map(document -> placed(document.resource())).toList();
    }

    private static Resource placed(Resource object) {
        return object.kind().namespaced() && object.namespace().isEmpty()
                ? object.with(json -> json.withObject("metadata").put("namespace", DEFAULT))
                : object;
    }

    /// @param set as `A=1`
    /// @param variables of the cells
    /// @return what each name means
    public static Map<String, String> values(List<String> set, List<Variable> variables) {
        var values = new HashMap<>(System.getenv());
        variables.forEach(v -> values.put(v.name(), String.valueOf(v.value())));
        for (var each : set) {
            int at = each.indexOf('=');
            if (at < 1) {
                throw new MagicException(
                        "--set is '%s'; write NAME=VALUE, several with commas".formatted(each));
            }
            values.put(each.substring(0, at), each.substring(at + 1));
        }
        return values;
    }
}
