package org.meshbook.cluster.queue;

import java.util.HashMap;
import java.util.Map;
import org.meshbook.cluster.Quantity;

/// Whole numbers in which resources are counted: thousandths of a core, and units of all else.
///
/// Kueue counts so too: what is finer is rounded up once, when a request is read.
public final class Amounts {
    /// The resource that is counted in thousandths.
    private static final String CPU = "cpu";

    private Amounts() {}

    /// @param resource name of the resource
    /// @param quantity how much of it
    /// @return the number that stands for it
    public static long of(String resource, Quantity quantity) {
        return resource.equals(CPU) ? quantity.milli() : quantity.units();
    }

    /// @param resource name of the resource
    /// @param amount the number that stands for it
    /// @return how much that is
    public static Quantity quantity(String resource, long amount) {
        return switch (resource) {
            case CPU -> Quantity.milli(amount);
            case "memory", "ephemeral-storage" -> Quantity.bytes(amount);
            default ->
                    resource.startsWith("hugepages-")
                            ? Quantity.bytes(amount)
                            : Quantity.units(amount);
        };
    }

    static String text(String resource, long amount) {
        return quantity(resource, amount).toString();
    }

    static Map<FlavorResource, Long> sum(
            Map<FlavorResource, Long> left, Map<FlavorResource, Long> right) {
        var sum = new HashMap<>(left);
        right.forEach((fr, amount) -> sum.merge(fr, amount, Long::sum));
        return sum;
    }
}
