package org.meshbook.cluster.queue;

import java.util.HashMap;
import java.util.Map;

/// How much more than its own a queue or cohort uses, compared with what there is to lend.
///
/// The share of a node is the largest, over its resources, of what it borrows in thousandths of
/// what its cohort could lend, divided by its weight. Weight 0 makes any borrowing infinite.
///
/// Source: dominant resource fairness, https://www.usenix.org/conference/nsdi11, as Kueue counts
/// it.
final class FairShare {
    private FairShare() {}

    /// @param node a queue or a cohort
    /// @return its share; 0 if it borrows nothing
    static double of(QuotaNode node) {
        var parent = node.parent;
        if (parent == null) {
            return 0;
        }
        var borrowed = new HashMap<String, Long>();
        for (var fr : node.usage.keySet()) {
            long above = node.used(fr) - node.quota(fr);
            if (above > 0) {
                borrowed.merge(fr.resource(), above, Long::sum);
            }
        }
        double share = 0;
        var lendable = borrowed.isEmpty() ? Map.<String, Long>of() : lendable(parent);
        for (var entry : borrowed.entrySet()) {
            long most = lendable.getOrDefault(entry.getKey(), 0L);
            if (most > 0) {
                share = Math.max(share, entry.getValue() * 1000.0 / most);
            }
        }
        if (share == 0) {
            return 0;
        }
        return node.weightMilli == 0 ? Double.POSITIVE_INFINITY : share * 1000 / node.weightMilli;
    }

    private static Map<String, Long> lendable(QuotaNode parent) {
        var lendable = new HashMap<String, Long>();
        for (var fr : parent.root().known()) {
            lendable.merge(fr.resource(), parent.capacity(fr), Long::sum);
        }
        return lendable;
    }
}
