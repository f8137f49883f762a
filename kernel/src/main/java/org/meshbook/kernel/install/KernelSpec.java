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
import java.util.regex.Pattern;
import tools.jackson.databind.json.JsonMapper;

/// The folder by which Jupyter finds this kernel.
///
/// @param name what front ends start it by
/// @param command what starts it, without the connection file
public record KernelSpec(String name, List<String> command) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]+");
    private static final String LOGO = "logo-svg.svg";

    public KernelSpec {
        if (!NAME.matcher(name).matches()) {
            throw new NotInstalled(
                    "kernel name '" + name + "' has more than letters, digits, '.', '_' and '-'");
        }
        command = List.copyOf(command);
    }

    /// Writes `NAME/kernel.json` and the logo.
    ///
    /// @param kernels the folder of all kernels, made if it is not there
    /// @return the file that was written
    /// @throws NotInstalled if that is not possible
    public Path install(Path kernels) {
        var folder = kernels.resolve(name).toAbsolutePath().normalize();
        try {
            Files.createDirectories(folder);
            var file = folder.resolve("kernel.json");
            var fresh = folder.resolve(".kernel.json.new");
            Files.writeString(fresh, json());
            Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING);
            try (var logo = KernelSpec.class.getResourceAsStream(LOGO)) {
                if (logo != null) {
                    Files.copy(logo, folder.resolve(LOGO), StandardCopyOption.REPLACE_EXISTING);
                }
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

    private String json() {
        var mapper = JsonMapper.shared();
        var spec = mapper.createObjectNode();
        var argv = spec.putArray("argv");
        command.forEach(argv::add);
        argv.add("kernel").add("{connection_file}");
        spec.put("display_name", "Java (Meshbook)")
                .put("language", "java")
                .put("interrupt_mode", "message");
        spec.putObject("metadata").put("debugger", false);
        return mapper.writerWithDefaultPrettyPrinter().writeValueAsString(spec) + "\n";
    }

    private static String why(IOException e) {
        return switch (e) {
            case AccessDeniedException denied -> "permission denied at '" + denied.getFile() + "'";
            case NoSuchFileException missing -> "'" + missing.getFile() + "' cannot be made";
            case FileAlreadyExistsException file -> "'" + file.getFile() + "' is no folder";
            case FileSystemException other when other.getReason() != null -> other.getReason();
            default -> String.valueOf(e.getMessage());
        };
    }
}
