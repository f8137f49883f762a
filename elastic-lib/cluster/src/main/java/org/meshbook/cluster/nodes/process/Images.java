package org.meshbook.cluster.nodes.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// Which program of this machine stands for an image: a file that a person may edit, read anew for
/// each container.
///
/// A line is `PATTERN = COMMAND`, or `PATTERN = COMMAND | NAME=PROGRAM …`. The first line whose
/// pattern fits counts; `*` stands for any characters. A pattern is compared with the whole image,
/// with the image without its tag or digest, and with its last part. COMMAND is what runs when a
/// container names no command. Each NAME is a command that the container may call, and PROGRAM is
/// what this machine has for it. `#` begins a comment.
public final class Images {
    private static final Pattern REFERENCE =
            Pattern.compile(
                    "(?:[a-zA-Z0-9.-]+(?::[0-9]+)?/)?"
                            + "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*"
                            + "(?:/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*"
                            + "(?::\\w[\\w.-]{0,127})?(?:@[a-zA-Z0-9]+:[0-9a-fA-F]{32,})?");

    private static final String DEFAULTS =
            """
            # Which program of this machine stands for a container's image.
            #
            #   PATTERN = COMMAND | NAME=PROGRAM ...
            #
            # COMMAND runs when a container names no command; NAME is a command that the container may call,
            # PROGRAM what this machine has for it. * stands for any characters. The first line that fits counts.
            # An image that fits no line cannot be pulled (ErrImagePull); "* = sh" lets any image pass.
            python*             = python3 | python=python3 pip=pip3
            *jax*               = python3 | python=python3 pip=pip3
            *pytorch*           = python3 | python=python3 pip=pip3
            rayproject/ray*     = bash    | python=python3 pip=pip3
            *busybox*           = sh
            *alpine*            = sh
            *bash*              = bash
            *ubuntu*            = bash
            *debian*            = bash
            *temurin*           = jshell
            *openjdk*           = jshell
            *pause*             = sleep infinity
            """;

    private final Path file;
    private final Map<String, Mapping> own;

    /// What stands for an image.
    ///
    /// @param command what runs when a container names no command
    /// @param aliases programs by the names that a container calls them
    public record Mapping(List<String> command, Map<String, String> aliases) {}

    /// @param file where the lines are; written with the usual ones if it is not there
    public Images(Path file) {
        this(file, Map.of());
    }

    /// @param file where the lines are; written with the usual ones if it is not there
    /// @param own images that go before all lines, by their whole names
    public Images(Path file, Map<String, Mapping> own) {
        this.file = file;
        this.own = Map.copyOf(own);
    }

    /// @return the file
    public Path file() {
        return file;
    }

    /// @param image a container's image
    /// @return whether it is written as images are
    public static boolean valid(String image) {
        return REFERENCE.matcher(image).matches();
    }

    /// @param image a container's image
    /// @return what stands for it; empty if no line fits
    /// @throws IOException if the file can be neither read nor made
    public Optional<Mapping> find(String image) throws IOException {
        if (own.containsKey(image)) {
            return Optional.ofNullable(own.get(image));
        }
        if (!Files.exists(file)) {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.writeString(file, DEFAULTS);
        }
        return Files.readAllLines(file).stream()
                .map(line -> line.replaceAll("#.*", "").strip())
                .filter(line -> line.contains("="))
                .filter(line -> fits(line.substring(0, line.indexOf('=')).strip(), image))
                .map(line -> mapping(line.substring(line.indexOf('=') + 1)))
                .findFirst();
    }

    private static boolean fits(String pattern, String image) {
        var glob =
                Pattern.compile(
                        Pattern.compile("\\*")
                                .splitAsStream(pattern + "\0")
                                .map(part -> part.replace("\0", ""))
                                .map(Pattern::quote)
                                .reduce((a, b) -> a + ".*" + b)
                                .orElse(""));
        var bare = image.replaceAll("@.*", "").replaceAll(":[^/]*$", "");
        return List.of(image, bare, bare.substring(bare.lastIndexOf('/') + 1)).stream()
                .anyMatch(name -> glob.matcher(name).matches());
    }

    private static Mapping mapping(String right) {
        var parts = right.split("\\|", 2);
        var aliases = new LinkedHashMap<String, String>();
        if (parts.length > 1) {
            for (var alias : parts[1].strip().split("\\s+")) {
                int equal = alias.indexOf('=');
                if (equal > 0) {
                    aliases.put(alias.substring(0, equal), alias.substring(equal + 1));
                }
            }
        }
        return new Mapping(List.of(parts[0].strip().split("\\s+")), aliases);
    }
}
