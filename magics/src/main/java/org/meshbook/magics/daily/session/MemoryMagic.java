package org.meshbook.magics.daily.session;

import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.magics.args.Grammar;
import org.meshbook.magics.args.GrammarMagic;
import org.meshbook.magics.render.Amounts;
import org.meshbook.magics.render.Table;

/// `%memory` and `%gc`.
final class MemoryMagic {
    private MemoryMagic() {}

    static Magic memory() {
        return GrammarMagic.line(
                new Grammar("%memory", List.of(), List.of()),
                "session",
                """
                Shows what memory this process uses: heap, classes, direct buffers, and all of it.

                Heap is what objects take, garbage included: %gc first tells what is held. A variable
                that is no longer needed is let go by `name = null` or %reset. Memory of the slices is
                shown by %slices.
                """,
                (_, _, cell) -> {
                    cell.display(table().display());
                    return null;
                });
    }

    private static Table table() {
        var memory = ManagementFactory.getMemoryMXBean();
        var heap = memory.getHeapMemoryUsage();
        var table =
                Table.of("memory", "used", "reserved", "limit")
                        .row(
                                "heap",
                                Amounts.size(heap.getUsed()),
                                Amounts.size(heap.getCommitted()),
                                limit(heap.getMax()));
        for (var pool : ManagementFactory.getMemoryPoolMXBeans()) {
            if (pool.getType() == MemoryType.NON_HEAP && wanted(pool)) {
                var usage = pool.getUsage();
                table =
                        table.row(
                                pool.getName().equals("Metaspace") ? "classes" : "compiled code",
                                Amounts.size(usage.getUsed()),
                                Amounts.size(usage.getCommitted()),
                                limit(usage.getMax()));
            }
        }
        for (var buffers : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
            if (buffers.getCount() > 0) {
                table =
                        table.row(
                                buffers.getName().replace("'", "") + " buffers",
                                Amounts.size(buffers.getMemoryUsed()),
                                Amounts.size(buffers.getTotalCapacity()),
                                "");
            }
        }
        var resident = resident();
        return resident.isEmpty()
                ? table
                : table.row("whole process", Amounts.size(resident.get()), "", "");
    }

    private static boolean wanted(MemoryPoolMXBean pool) {
        return pool.getName().equals("Metaspace") || pool.getName().equals("CodeCache");
    }

    private static String limit(long bytes) {
        return bytes < 0 ? "" : Amounts.size(bytes);
    }

    /// Linux tells it in pages; elsewhere nobody does.
    private static Optional<Long> resident() {
        try {
            for (var line : Files.readAllLines(Path.of("/proc/self/status"))) {
                if (line.startsWith("VmRSS:")) {
                    return Optional.of(Long.parseLong(line.replaceAll("\\D+", "")) << 10);
                }
            }
        } catch (IOException | NumberFormatException e) {
            return Optional.empty();
        }
        return Optional.empty();
    }

    static Magic gc() {
        return GrammarMagic.line(
                new Grammar("%gc", List.of(), List.of()),
                "session",
                "Collects garbage now, and says how much of the heap is held after it.",
                (_, _, cell) -> collect(cell));
    }

    private static @Nullable Object collect(Cell cell) {
        var memory = ManagementFactory.getMemoryMXBean();
        var before = memory.getHeapMemoryUsage().getUsed();
        var began = System.nanoTime();
        System.gc();
        var took = System.nanoTime() - began;
        var after = memory.getHeapMemoryUsage().getUsed();
        cell.out()
                .println(
                        "%s held, %s freed, in %s"
                                .formatted(
                                        Amounts.size(after),
                                        Amounts.size(Math.max(0, before - after)),
                                        Amounts.time(took)));
        return null;
    }
}
