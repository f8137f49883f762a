package org.meshbook.kernel.install;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.json.JsonMapper;

/// The folder by which Jupyter finds this kernel.
///
/// @param name what front ends start it by
/// @param displayName what a person sees
/// @param command what starts it, without the connection file
/// @param environment variables that it is started with, over those of the front end
public record KernelSpec(
        KernelName name,
        String displayName,
        List<String> command,
        Map<String, String> environment) {
    private static final List<String> LOGOS =
            List.of("logo-svg.svg", "logo-32x32.png", "logo-64x64.png");

    public KernelSpec {
        if (displayName.isBlank() || displayName.chars().anyMatch(Character::isISOControl)) {
            throw new NotInstalled("a display name is one line of text, as 'Java (large heap)'");
        }
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
    }

    /// Writes `NAME/kernel.json` and the logos.
    ///
    /// @param kernels the folder of all kernels, made if it is not there
    /// @return the file that was written
    /// @throws NotInstalled if that is not possible, or if another program's kernel is there
    public Path install(Path kernels) {
        var folder = kernels.resolve(name.text()).toAbsolutePath().normalize();
        var file = folder.resolve("kernel.json");
        InstalledKernel.read(file).ifPresent(there -> there.checkOurs("choose another --name"));
        try {
            Files.createDirectories(folder);
            var fresh = folder.resolve(".kernel.json.new");
            Files.writeString(fresh, json());
            Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING);
            for (var logo : logos().entrySet()) {
                Files.write(folder.resolve(logo.getKey()), logo.getValue());
            }
            return file;
        } catch (IOException e) {
            throw new NotInstalled(
                    "cannot write '"
                            + folder
                            + "': "
                            + why(e)
                            + "; use --user, or --prefix with a folder that is yours");
        }
    }

    /// @return pictures that front ends show, by the name of their file
    /// @throws IOException if they cannot be read
    public static Map<String, byte[]> logos() throws IOException {
        var logos = new TreeMap<String, byte[]>();
        for (var name : LOGOS) {
            try (var picture = KernelSpec.class.getResourceAsStream(name)) {
                if (picture != null) {
                    logos.put(name, picture.readAllBytes());
                }
            }
        }
        return logos;
    }

    /// @return the text of `kernel.json`
    public String json() {
        var mapper = JsonMapper.shared();
        var spec = mapper.createObjectNode();
        var argv = spec.putArray("argv");
        command.forEach(argv::add);
        argv.add("{connection_file}");
        spec.put("display_name", displayName)
                .put("language", "java")
                .put("interrupt_mode", "message")
                .put("kernel_protocol_version", "5.6");
        if (!environment.isEmpty()) {
            var variables = spec.putObject("env");
            environment.forEach(variables::put);
        }
        var metadata =
                spec.putObject("metadata").put("debugger", false).put(InstalledKernel.MARK, true);
        metadata.putArray("supported_encryption").add("curve");
        return mapper.writerWithDefaultPrettyPrinter().writeValueAsString(spec) + "\n";
    }

    static String why(IOException e) {
        return switch (e) {
            case AccessDeniedException denied -> "permission denied at '" + denied.getFile() + "'";
            case NoSuchFileException missing -> "'" + missing.getFile() + "' cannot be made";
            case FileAlreadyExistsException file -> "'" + file.getFile() + "' is no folder";
            case FileSystemException other when other.getReason() != null -> other.getReason();
            default -> String.valueOf(e.getMessage());
        };
    }
}
