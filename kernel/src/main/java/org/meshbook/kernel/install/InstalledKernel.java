package org.meshbook.kernel.install;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A kernelspec that lies in one of Jupyter's folders.
///
/// @param file its `kernel.json`
/// @param displayName what a person sees
/// @param command what starts it
/// @param ours whether Meshbook wrote it
public record InstalledKernel(Path file, String displayName, List<String> command, boolean ours) {
    /// In the metadata of what we write, so that nobody else's is replaced or removed.
    static final String MARK = "meshbook";

    public InstalledKernel {
        command = List.copyOf(command);
    }

    /// @param file a `kernel.json`
    /// @return what it says, or empty if there is none
    public static Optional<InstalledKernel> read(Path file) {
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        JsonNode json;
        try {
            json = JsonMapper.shared().readTree(Files.readAllBytes(file));
        } catch (IOException | JacksonException e) {
            // Whoever wrote it: Jupyter cannot use it either, and writing it again cures it.
            return Optional.of(new InstalledKernel(file, "", List.of(), true));
        }
        var command =
                StreamSupport.stream(json.path("argv").spliterator(), false)
                        .map(word -> word.asString(""))
                        .toList();
        var display = json.path("display_name").asString("");
        // What earlier builds wrote has no mark.
        var ours = json.path("metadata").has(MARK) || display.equals("Java (Meshbook)");
        return Optional.of(new InstalledKernel(file, display, command, ours));
    }

    /// @return the name by which front ends start it
    public String name() {
        return String.valueOf(file.resolveSibling("").toAbsolutePath().normalize().getFileName());
    }

    /// @return what is wrong with it; empty if nothing is
    public Optional<String> fault() {
        if (command.isEmpty()) {
            return Optional.of("its kernel.json cannot be read");
        }
        var program = Path.of(command.getFirst());
        return program.isAbsolute() && !Files.isExecutable(program)
                ? Optional.of("'" + program + "' is not there")
                : Optional.empty();
    }

    /// @param otherwise what to do if it is not
    /// @throws NotInstalled if another program wrote it
    void checkOurs(String otherwise) {
        if (!ours) {
            throw new NotInstalled(
                    "'%s' is the kernel of another program ('%s'); %s"
                            .formatted(file.getParent(), displayName, otherwise));
        }
    }

    /// Removes the folder and what Meshbook writes into one.
    ///
    /// @throws NotInstalled if it is another program's, or cannot be removed
    public void remove() {
        checkOurs("it is left alone");
        var folder = file.getParent();
        try (var files = Files.list(folder)) {
            for (var each : files.toList()) {
                Files.delete(each);
            }
            Files.delete(folder);
        } catch (IOException e) {
            throw new NotInstalled("cannot remove '" + folder + "': " + KernelSpec.why(e));
        }
    }
}
