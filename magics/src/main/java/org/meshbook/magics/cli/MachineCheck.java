package org.meshbook.magics.cli;

import com.sun.management.OperatingSystemMXBean;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Looks at the machine: Java, cores, memory, folders, the loopback interface, programs on the
/// PATH.
final class MachineCheck {
    private static final int JAVA = 25;
    private static final long MIB = 1L << 20;
    private static final long LITTLE_MEMORY = 2048 * MIB;
    private static final long LITTLE_DISK = 512 * MIB;
    private static final long LITTLE_SHARED_MEMORY = 256 * MIB;

    private MachineCheck() {}

    static List<Finding> findings() {
        var findings = new ArrayList<Finding>();
        findings.add(java());
        findings.add(cores());
        findings.add(memory());
        findings.add(folder("temp folder", Path.of(System.getProperty("java.io.tmpdir"))));
        sharedMemory().ifPresent(findings::add);
        findings.add(loopback());
        findings.add(maven());
        return findings;
    }

    /// Finds a program as a shell does.
    static Optional<Path> program(String name) {
        var path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        for (var folder : path.split(File.pathSeparator)) {
            var file = Path.of(folder.isEmpty() ? "." : folder, name);
            if (Files.isExecutable(file) && !Files.isDirectory(file)) {
                return Optional.of(file);
            }
        }
        return Optional.empty();
    }

    static String size(long bytes) {
        return bytes >= 1024 * MIB
                ? String.format(Locale.ROOT, "%.1f GB", bytes / (1024.0 * MIB))
                : bytes / MIB + " MB";
    }

    private static Finding java() {
        var found = Runtime.version() + " in " + System.getProperty("java.home");
        return Runtime.version().feature() >= JAVA
                ? Finding.ok("java", found)
                : Finding.fail("java", found, "start with JDK 25 or newer; set JAVA_HOME");
    }

    private static Finding cores() {
        int cores = Runtime.getRuntime().availableProcessors();
        return cores >= 2
                ? Finding.ok("cores", String.valueOf(cores))
                : Finding.warn("cores", "1", "slices will share one core; expect slow steps");
    }

    private static Finding memory() {
        var system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        var found =
                size(system.getFreeMemorySize()) + " free of " + size(system.getTotalMemorySize());
        return system.getTotalMemorySize() >= LITTLE_MEMORY
                ? Finding.ok("memory", found)
                : Finding.warn("memory", found, "a slice needs about 200 MB; provision few");
    }

    private static Finding folder(String thing, Path folder) {
        try {
            var probe = Files.createTempFile(folder, "meshbook-doctor", ".tmp");
            try {
                Files.write(probe, new byte[64 * 1024]);
            } finally {
                Files.deleteIfExists(probe);
            }
            long free = Files.getFileStore(folder).getUsableSpace();
            var found = size(free) + " free in " + folder;
            return free >= LITTLE_DISK
                    ? Finding.ok(thing, found)
                    : Finding.warn(thing, found, "free some space, or start with another TMPDIR");
        } catch (IOException e) {
            return Finding.fail(
                    thing,
                    "cannot write to " + folder + ": " + e.getMessage(),
                    "free some space or fix its rights, or name another by"
                            + " MESHBOOK_JAVA_OPTS=-Djava.io.tmpdir=FOLDER");
        }
    }

    private static Optional<Finding> sharedMemory() {
        var folder = Path.of("/dev/shm");
        if (!Files.isDirectory(folder)) {
            return Optional.empty();
        }
        try {
            long free = Files.getFileStore(folder).getUsableSpace();
            var found = size(free) + " free in " + folder;
            return Optional.of(
                    free >= LITTLE_SHARED_MEMORY
                            ? Finding.ok("shared memory", found)
                            : Finding.warn(
                                    "shared memory", found, "slower transport is used where full"));
        } catch (IOException e) {
            return Optional.of(Finding.warn("shared memory", e.getMessage() + "", ""));
        }
    }

    private static Finding loopback() {
        var loopback = InetAddress.getLoopbackAddress();
        try (var server = new ServerSocket(0, 1, loopback);
                var client = new Socket(loopback, server.getLocalPort());
                var accepted = server.accept()) {
            return Finding.ok(
                    "loopback",
                    "connected to a port of " + client.getInetAddress().getHostAddress());
        } catch (IOException e) {
            return Finding.fail(
                    "loopback",
                    "no connection to " + loopback + ": " + e.getMessage(),
                    "allow local TCP connections; kernel, head and workers talk over them");
        }
    }

    private static Finding maven() {
        return program("mvn")
                .map(file -> Finding.ok("maven", file.toString()))
                .orElseGet(
                        () ->
                                Finding.warn(
                                        "maven",
                                        "no mvn on the PATH",
                                        "needed to build again after a change of the sources"));
    }
}
