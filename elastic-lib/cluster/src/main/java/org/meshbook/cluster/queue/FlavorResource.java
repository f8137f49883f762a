package org.meshbook.cluster.queue;

/// One resource of one flavor: what quota is counted by.
///
/// @param flavor name of a flavor
/// @param resource name of a resource, such as `cpu`
public record FlavorResource(String flavor, String resource) implements Comparable<FlavorResource> {
    @Override
    public int compareTo(FlavorResource other) {
        int byFlavor = flavor.compareTo(other.flavor);
        return byFlavor != 0 ? byFlavor : resource.compareTo(other.resource);
    }
}
