package org.meshbook.cluster.nodes.kubelet;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.meshbook.cluster.Resource;

/// Gives each pod an address of this machine's own network, so that all may listen on the same
/// port.
///
/// A pod with a host name in a subdomain keeps its address over restarts, and may be asked for
/// before it is there: peers are started with each other's addresses. Belongs to the loop's thread.
final class Addresses {
    /// All of 127.0.0.0/8 is this machine on Linux; only 127.0.0.1 is elsewhere.
    private static final boolean MANY = System.getProperty("os.name").startsWith("Linux");

    private static final int FIRST = (8 << 16) + 1;
    private static final int OCTETS = 256;

    private final Map<String, Integer> byName = new HashMap<>();
    private final TreeSet<Integer> free = new TreeSet<>();
    private int next = FIRST;

    /// @return the pod's address
    String of(Resource pod) {
        return of(nameOf(pod));
    }

    /// @param name `NAMESPACE/SUBDOMAIN/HOSTNAME`
    /// @return the address of the pod of that name
    String of(String name) {
        return text(byName.computeIfAbsent(name, _ -> take()));
    }

    /// Takes over what a pod had before this process began.
    void adopt(Resource pod) {
        number(pod.text("status", "podIP"))
                .filter(n -> !byName.containsValue(n))
                .ifPresent(
                        n -> {
                            byName.put(nameOf(pod), n);
                            for (; next <= n; next++) {
                                free.add(next);
                            }
                            free.remove(n);
                        });
    }

    /// A pod without a host name takes its address with it.
    void release(Resource pod) {
        if (pod.text("spec", "subdomain").isEmpty()) {
            Optional.ofNullable(byName.remove(nameOf(pod))).ifPresent(free::add);
        }
    }

    static String nameOf(Resource pod) {
        var subdomain = pod.text("spec", "subdomain");
        var host = pod.text("spec", "hostname");
        return subdomain.isEmpty() || host.isEmpty()
                ? pod.uid()
                : pod.namespace() + "/" + subdomain + "/" + host;
    }

    private int take() {
        var oldest = free.pollFirst();
        if (oldest != null) {
            return oldest;
        }
        while (next % OCTETS == 0 || next % OCTETS == OCTETS - 1) {
            next++;
        }
        return next++;
    }

    private static String text(int number) {
        return MANY
                ? "127.%d.%d.%d"
                        .formatted(number >> 16, number >> 8 & OCTETS - 1, number & OCTETS - 1)
                : "127.0.0.1";
    }

    private static Optional<Integer> number(String address) {
        if (!MANY || !address.matches("127\\.\\d+\\.\\d+\\.\\d+")) {
            return Optional.empty();
        }
        int number = 0;
        for (var octet : address.substring("127.".length()).split("\\.")) {
            number = number * OCTETS + Integer.parseInt(octet);
        }
        return Optional.of(number).filter(n -> n >= FIRST);
    }
}
