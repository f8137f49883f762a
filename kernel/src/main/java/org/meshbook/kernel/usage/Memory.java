package org.meshbook.kernel.usage;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;

/// Memory of processes and of the machine: from `/proc` where there is one, else from what Java
/// itself knows.
final class Memory {
    private static final Path PROC = Path.of("/proc");
    private static final long KIB = 1024;
    private static final List<String> HOST =
            List.of("Active", "Inactive", "Buffers", "Cached", "Slab");

    private Memory() {}

    /// @param process any
    /// @return its share of physical memory, in bytes; 0 if it cannot be seen
    static long of(ProcessHandle process) {
        var folder = PROC.resolve(Long.toString(process.pid()));
        var shared = find(folder.resolve("smaps_rollup"), "Pss");
        var resident = shared.isPresent() ? shared : find(folder.resolve("status"), "VmRSS");
        if (resident.isPresent() || process.pid() != ProcessHandle.current().pid()) {
            return resident.orElse(0);
        }
        var memory = ManagementFactory.getMemoryMXBean();
        return memory.getHeapMemoryUsage().getCommitted()
                + memory.getNonHeapMemoryUsage().getCommitted();
    }

    /// @return the machine's memory in psutil's words, in bytes
    static Map<String, Object> host(OperatingSystemMXBean system) {
        var file = PROC.resolve("meminfo");
        var total = system.getTotalMemorySize();
        var free = system.getFreeMemorySize();
        var available = find(file, "MemAvailable").orElse(free);
        var sizes = new LinkedHashMap<String, Object>();
        sizes.put("total", total);
        sizes.put("available", available);
        sizes.put("percent", Usage.rounded(100.0 * (total - available) / Math.max(1, total)));
        sizes.put("used", total - available);
        sizes.put("free", free);
        for (var name : HOST) {
            find(file, name).ifPresent(size -> sizes.put(name.toLowerCase(Locale.ROOT), size));
        }
        find(file, "Shmem").ifPresent(size -> sizes.put("shared", size));
        return sizes;
    }

    /// @return the bytes behind `NAME: N kB`
    private static OptionalLong find(Path file, String name) {
        try {
            return Files.readAllLines(file).stream()
                    .filter(line -> line.startsWith(name + ":"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * KIB)
                    .findFirst();
        } catch (IOException e) {
            return OptionalLong.empty();
        }
    }
}
