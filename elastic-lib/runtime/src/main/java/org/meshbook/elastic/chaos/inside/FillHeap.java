package org.meshbook.elastic.chaos.inside;

import java.util.ArrayList;
import org.meshbook.elastic.slices.hosts.Host;
import org.meshbook.elastic.slices.hosts.HostFunction;

/// Asks for more heap than its worker has left, as a program with too large an activation does,
/// until the Java VM gives up.
///
/// The first block is larger than what is left if an array can be: then nothing of it is touched,
/// and the machine's other processes do not feel it.
public final class FillHeap implements HostFunction {
    private static final int MOST_ELEMENTS = Integer.MAX_VALUE - 8;

    @Override
    public byte[] call(Host host, byte[] arguments) {
        var blocks = new ArrayList<long[]>();
        while (true) {
            var runtime = Runtime.getRuntime();
            long used = runtime.totalMemory() - runtime.freeMemory();
            long elements = (runtime.maxMemory() - used) / Long.BYTES + 1;
            blocks.add(new long[(int) Math.min(elements, MOST_ELEMENTS)]);
            host.progress().accept((long) blocks.size() * MOST_ELEMENTS);
        }
    }
}
