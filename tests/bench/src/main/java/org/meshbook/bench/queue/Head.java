package org.meshbook.bench.queue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/// The process that the cluster lives in, as Linux accounts for it; one that is not ours is all
/// zeros.
///
/// @param pid the process; 0 for none
record Head(long pid) {
    static final Head NONE = new Head(0);

    private static final double KIB = 1024;

    /// @return memory that it holds, pages of files that it shares included, in MiB
    double memory() {
        return mib("VmRSS:");
    }

    /// @return the most memory that it ever held, in MiB
    double most() {
        return mib("VmHWM:");
    }

    /// @return processor time that it has used
    Duration cpu() {
        return ProcessHandle.of(pid)
                .flatMap(process -> process.info().totalCpuDuration())
                .orElse(Duration.ZERO);
    }

    private double mib(String field) {
        var file = Path.of("/proc", Long.toString(pid), "status");
        if (!Files.isReadable(file)) {
            return 0;
        }
        try (var lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith(field))
                    .mapToDouble(line -> Long.parseLong(line.split("\\s+")[1]) / KIB)
                    .sum();
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }
}
