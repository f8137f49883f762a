package org.meshbook.magics.engine;

import static org.meshbook.elastic.UsageError.require;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.meshbook.elastic.Interrupted;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.engine.xla.Plugin;

/// The Python package that brings XLA for the CPU as a PJRT plugin: fetched by pip, which knows
/// this machine's mirrors and proxies, and checked against the hashes that were tried.
///
/// Blocks; waits for pip at most ten minutes.
public final class XlaWheel {
    /// Name and version on PyPI.
    public static final String PACKAGE = "lammps-jax-pjrt-cpu==0.11.2";

    private static final String WHEEL_HASH =
            "1319390d948b39f69f7dade496b7c385149d9ca6097a6b62114da113216d9ad1";
    private static final String LIBRARY_HASH =
            "ad1309ac822b1b24d51b7f9947c7c9fa9ef5d67f390584cbc3d1fa2428fed9c2";
    private static final String MODULE = "lammps_jax_pjrt_cpu";
    private static final String LICENCES = MODULE + "-0.11.2.dist-info/licenses";
    private static final String PLATFORM = "manylinux_2_27_x86_64";
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final String python;
    private final Path folder;
    private final String wheelHash;
    private final String libraryHash;

    /// @param python a Python with pip
    /// @param folder where to put the plugin
    /// @param wheelHash SHA-256 that the wheel must have
    /// @param libraryHash SHA-256 that the library in it must have
    XlaWheel(String python, Path folder, String wheelHash, String libraryHash) {
        this.python = python;
        this.folder = folder;
        this.wheelHash = wheelHash;
        this.libraryHash = libraryHash;
    }

    /// @return the wheel, by the Python of the path or that of `MESHBOOK_PYTHON`
    public static XlaWheel ofEnvironment() {
        var python = System.getenv().getOrDefault("MESHBOOK_PYTHON", "python3");
        return new XlaWheel(python, Plugin.folder(), WHEEL_HASH, LIBRARY_HASH);
    }

    /// Fetches, checks and unpacks the plugin; what was there before stays until all is done.
    ///
    /// @return the installed library
    /// @throws UsageError if it cannot be had here; one line that says why
    public Path install() {
        requireMachine(System.getProperty("os.name", ""), System.getProperty("os.arch", ""));
        try {
            Files.createDirectories(folder.getParent());
            var work = Files.createTempDirectory(folder.getParent(), "xla-");
            try {
                // 1. the wheel, whose hash pip checks  2. what is in it  3. its place
                var unpacked = unpack(download(work), Files.createDirectory(work.resolve("xla")));
                return settle(unpacked);
            } finally {
                delete(work);
            }
        } catch (IOException e) {
            throw new UsageError(
                    "the XLA plugin cannot be put into '%s': %s; free space there, or set"
                            + " XDG_DATA_HOME",
                    folder, String.valueOf(e.getMessage()));
        }
    }

    static void requireMachine(String system, String processor) {
        require(
                system.equals("Linux") && processor.equals("amd64"),
                "the XLA plugin is built for Linux on x86_64, and this is %s on %s; engine 'onnx'"
                        + " works here, or name a plugin of your own in %s",
                system,
                processor,
                Plugin.VARIABLE);
    }

    private Path download(Path work) throws IOException {
        var lock = work.resolve("requirements.txt");
        Files.writeString(lock, PACKAGE + " --hash=sha256:" + wheelHash + "\n");
        var command =
                List.of(
                        python,
                        "-m",
                        "pip",
                        "download",
                        "--quiet",
                        "--no-deps",
                        "--disable-pip-version-check",
                        "--only-binary=:all:",
                        "--platform",
                        PLATFORM,
                        "--require-hashes",
                        "-r",
                        lock.toString(),
                        "-d",
                        work.toString());
        var said = run(command);
        try (var files = Files.list(work)) {
            return files.filter(file -> file.toString().endsWith(".whl"))
                    .findFirst()
                    .orElseThrow(
                            () -> new UsageError("pip brought no wheel of %s: %s", PACKAGE, said));
        }
    }

    private String run(List<String> command) throws IOException {
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            throw new UsageError(
                    "no '%s' can be started, which would fetch the XLA plugin by pip; install"
                            + " Python 3 with pip, or name one in MESHBOOK_PYTHON",
                    python);
        }
        try {
            process.getOutputStream().close();
            var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            require(
                    process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS),
                    "pip takes longer than %d minutes to fetch %s",
                    PATIENCE.toMinutes(),
                    PACKAGE);
            require(process.exitValue() == 0, "pip cannot fetch %s: %s", PACKAGE, reason(said));
            return reason(said);
        } catch (InterruptedException e) {
            throw new Interrupted("fetching " + PACKAGE, e);
        } finally {
            process.destroyForcibly();
        }
    }

    /// @return the line that says why: pip's last error
    static String reason(String said) {
        var lines = said.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
        return lines.stream()
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("error"))
                .reduce((_, line) -> line)
                .or(() -> lines.isEmpty() ? Optional.empty() : Optional.of(lines.getLast()))
                .orElse("it says nothing");
    }

    private Path unpack(Path wheel, Path target) throws IOException {
        try (var zip = FileSystems.newFileSystem(wheel)) {
            var library = target.resolve(Plugin.LIBRARY);
            var found = copy(zip.getPath(MODULE, Plugin.LIBRARY), library);
            require(
                    found.equals(libraryHash),
                    "the plugin in %s has the SHA-256 %s and not %s; it is not the one that was"
                            + " tried, and was thrown away",
                    PACKAGE,
                    found,
                    libraryHash);
            for (var name : List.of("LICENSE", "THIRD_PARTY_NOTICES")) {
                Files.copy(zip.getPath(LICENCES, name), target.resolve(name));
            }
        }
        return target;
    }

    private static String copy(Path from, Path to) throws IOException {
        var digest = sha256();
        try (InputStream in = new DigestInputStream(Files.newInputStream(from), digest)) {
            Files.copy(in, to);
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /// Each file moves at once; the library comes last, since it is what is looked for. A worker
    /// that has the old one loaded keeps it.
    private Path settle(Path unpacked) throws IOException {
        Files.createDirectories(folder);
        for (var name : List.of("LICENSE", "THIRD_PARTY_NOTICES", Plugin.LIBRARY)) {
            Files.move(
                    unpacked.resolve(name),
                    folder.resolve(name),
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        }
        return folder.resolve(Plugin.LIBRARY);
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (var file : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
