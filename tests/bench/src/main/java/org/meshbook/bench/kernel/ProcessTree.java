package org.meshbook.bench.kernel;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/// A process and all that it started, as Linux accounts for them.
///
/// @param root the first process
record ProcessTree(ProcessHandle root) {
    /// @return those that live
    Stream<ProcessHandle> alive() {
        return Stream.concat(Stream.of(root), root.descendants()).filter(ProcessHandle::isAlive);
    }

    /// @return memory that the tree holds; pages of files that it shares are counted
    double residentMib() {
        return mib("Rss:");
    }

    /// @return the same, but pages that several processes share are divided among them
    double proportionalMib() {
        return mib("Pss:");
    }

    private double mib(String field) {
        var kib =
                alive().mapToLong(
                                process ->
                                        lines(process, "smaps_rollup")
                                                .filter(line -> line.startsWith(field))
                                                .mapToLong(
                                                        line ->
                                                                Long.parseLong(
                                                                        line.split("\\s+")[1]))
                                                .sum())
                        .sum();
        return kib / 1024.0;
    }

    /// @return processor time that the living ones have used
    Duration cpu() {
        return alive().map(p -> p.info().totalCpuDuration().orElse(Duration.ZERO))
                .reduce(Duration.ZERO, Duration::plus);
    }

    private static Stream<String> lines(ProcessHandle process, String file) {
        try {
            return Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), file))
                    .stream();
        } catch (IOException e) {
            return Stream.empty(); // it has ended
        }
    }
}
