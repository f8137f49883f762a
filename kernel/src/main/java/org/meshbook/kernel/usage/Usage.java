package org.meshbook.kernel.usage;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Measures the kernel's process and those that it started. Thread-safe.
///
/// Processor time is given as psutil does: per cent of one core since the last call, 0 at the
/// first.
public final class Usage {
    private static final double PERCENT = 100.0;

    private long lastNanos;
    private long lastProcessor;

    /// @return `hostname`, `pid`, `kernel_cpu`, `kernel_memory`, `host_cpu_percent`, `cpu_count`,
    ///   `host_virtual_memory`, and further `kernel_heap`, `kernel_gc`, `kernel_threads`,
    ///   `kernel_processes`; sizes in bytes, times in seconds
    public Map<String, Object> measure() {
        var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        var own = ProcessHandle.current();
        var all = Stream.concat(Stream.of(own), own.descendants()).toList();
        var usage = new LinkedHashMap<String, Object>();
        usage.put("hostname", hostname());
        usage.put("pid", own.pid());
        usage.put("kernel_cpu", processor(system, all));
        usage.put("kernel_memory", all.stream().mapToLong(Memory::of).sum());
        usage.put("host_cpu_percent", rounded(Math.max(0, system.getCpuLoad()) * PERCENT));
        usage.put("cpu_count", Runtime.getRuntime().availableProcessors());
        usage.put("host_virtual_memory", Memory.host(system));
        usage.put("kernel_heap", heap());
        usage.put("kernel_gc", collections());
        usage.put("kernel_threads", ManagementFactory.getThreadMXBean().getThreadCount());
        usage.put("kernel_processes", all.size());
        return usage;
    }

    private synchronized double processor(
            OperatingSystemMXBean system, List<ProcessHandle> processes) {
        var now = System.nanoTime();
        var used =
                Math.max(0, system.getProcessCpuTime())
                        + processes.stream().skip(1).mapToLong(Usage::processorNanos).sum();
        // A process that ended takes its time with it: never below nothing.
        var percent =
                lastNanos == 0
                        ? 0
                        : PERCENT
                                * Math.max(0, used - lastProcessor)
                                / Math.max(1, now - lastNanos);
        lastNanos = now;
        lastProcessor = used;
        return rounded(percent);
    }

    private static long processorNanos(ProcessHandle process) {
        return process.info().totalCpuDuration().map(Duration::toNanos).orElse(0L);
    }

    private static Map<String, Object> heap() {
        var heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        var sizes = new LinkedHashMap<String, Object>();
        sizes.put("used", heap.getUsed());
        sizes.put("committed", heap.getCommitted());
        sizes.put("max", heap.getMax());
        return sizes;
    }

    private static Map<String, Object> collections() {
        var collectors = ManagementFactory.getGarbageCollectorMXBeans();
        var count =
                collectors.stream()
                        .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                        .filter(known -> known > 0)
                        .sum();
        var millis =
                collectors.stream()
                        .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                        .filter(known -> known > 0)
                        .sum();
        var sums = new LinkedHashMap<String, Object>();
        sums.put("collections", count);
        sums.put("seconds", millis / 1000.0);
        return sums;
    }

    static double rounded(double value) {
        return Math.round(value * 10) / 10.0;
    }

    private static String hostname() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            // A machine whose own name does not resolve.
            return "localhost";
        }
    }
}
