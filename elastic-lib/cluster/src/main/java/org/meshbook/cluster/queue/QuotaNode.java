package org.meshbook.cluster.queue;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A queue or a cohort in the tree in which quota is counted.
///
/// Each node knows the quota below it and how much of that is used. What a node guarantees to its
/// own (all that it does not lend) is counted with it alone; the rest is counted with its parent
/// too, so that what a queue may use is found on the way from it to the root.
final class QuotaNode {
    private static final QueueSpec.Quota NOTHING = QueueSpec.Quota.of(0);

    final String name;
    final boolean queue;
    final long weightMilli;
    final Map<FlavorResource, QueueSpec.Quota> quotas;
    final Map<FlavorResource, Long> subtree = new TreeMap<>();
    final Map<FlavorResource, Long> usage = new HashMap<>();
    final List<QuotaNode> children = new ArrayList<>();
    final Map<String, Reservation> reservations = new LinkedHashMap<>();
    @Nullable QuotaNode parent;

    private QuotaNode(
            String name,
            boolean queue,
            long weightMilli,
            Map<FlavorResource, QueueSpec.Quota> quotas) {
        this.name = name;
        this.queue = queue;
        this.weightMilli = weightMilli;
        this.quotas = quotas;
    }

    static QuotaNode of(QueueSpec spec) {
        var quotas = new HashMap<FlavorResource, QueueSpec.Quota>();
        for (var group : spec.groups()) {
            for (var flavor : group.flavors()) {
                flavor.quotas()
                        .forEach((r, q) -> quotas.put(new FlavorResource(flavor.flavor(), r), q));
            }
        }
        return new QuotaNode(spec.name(), true, spec.weightMilli(), quotas);
    }

    static QuotaNode of(QueueSpec.Cohort spec) {
        return new QuotaNode(spec.name(), false, spec.weightMilli(), spec.quotas());
    }

    /// Sums up the quota below, children first; to be called once, before any usage.
    void sumUp() {
        quotas.forEach((fr, quota) -> subtree.merge(fr, quota.nominal(), Long::sum));
        for (var child : children) {
            child.sumUp();
            child.subtree.forEach(
                    (fr, amount) -> subtree.merge(fr, amount - child.guaranteed(fr), Long::sum));
        }
    }

    long used(FlavorResource fr) {
        return usage.getOrDefault(fr, 0L);
    }

    long quota(FlavorResource fr) {
        return subtree.getOrDefault(fr, 0L);
    }

    QueueSpec.Quota own(FlavorResource fr) {
        return quotas.getOrDefault(fr, NOTHING);
    }

    private long guaranteed(FlavorResource fr) {
        var lending = own(fr).lending();
        return lending.isPresent() ? Math.max(0, quota(fr) - lending.getAsLong()) : 0;
    }

    long localAvailable(FlavorResource fr) {
        return Math.max(0, guaranteed(fr) - used(fr));
    }

    /// May be negative, when quota was cut below what is in use.
    private long free(FlavorResource fr) {
        if (parent == null) {
            return quota(fr) - used(fr);
        }
        long above = parent.free(fr);
        var borrowing = own(fr).borrowing();
        if (borrowing.isPresent()) {
            long stored = quota(fr) - guaranteed(fr);
            long usedAbove = Math.max(0, used(fr) - guaranteed(fr));
            above = Math.min(above, stored - usedAbove + borrowing.getAsLong());
        }
        return localAvailable(fr) + above;
    }

    long available(FlavorResource fr) {
        return Math.max(0, free(fr));
    }

    /// What would be available if nothing were in use.
    long capacity(FlavorResource fr) {
        if (parent == null) {
            return quota(fr);
        }
        long all = guaranteed(fr) + parent.capacity(fr);
        var borrowing = own(fr).borrowing();
        return borrowing.isPresent() ? Math.min(all, quota(fr) + borrowing.getAsLong()) : all;
    }

    void add(FlavorResource fr, long amount) {
        long local = localAvailable(fr);
        usage.merge(fr, amount, Long::sum);
        if (parent != null && amount > local) {
            parent.add(fr, amount - local);
        }
    }

    void remove(FlavorResource fr, long amount) {
        long above = used(fr) - guaranteed(fr);
        usage.merge(fr, -amount, Long::sum);
        if (parent != null && above > 0) {
            parent.remove(fr, Math.min(amount, above));
        }
    }

    void add(Map<FlavorResource, Long> amounts) {
        amounts.forEach(this::add);
    }

    void remove(Map<FlavorResource, Long> amounts) {
        amounts.forEach(this::remove);
    }

    void hold(Reservation reservation) {
        reservations.put(reservation.key(), reservation);
        add(reservation.usage());
    }

    void release(Reservation reservation) {
        reservations.remove(reservation.key());
        remove(reservation.usage());
    }

    boolean borrowsWith(FlavorResource fr, long amount) {
        return used(fr) + amount > quota(fr);
    }

    boolean withinNominal(Collection<FlavorResource> frs) {
        return frs.stream().allMatch(fr -> used(fr) <= quota(fr));
    }

    boolean fits(Map<FlavorResource, Long> amounts) {
        return amounts.entrySet().stream().allMatch(e -> e.getValue() <= available(e.getKey()));
    }

    QuotaNode root() {
        return parent == null ? this : parent.root();
    }

    /// All queues of the tree that this node is in.
    List<QuotaNode> family() {
        var found = new ArrayList<QuotaNode>();
        root().collect(found);
        return found;
    }

    private void collect(List<QuotaNode> queues) {
        if (queue) {
            queues.add(this);
        }
        children.forEach(c -> c.collect(queues));
    }

    int height() {
        int height = 0;
        for (var child : children) {
            height = Math.max(height, child.height() + 1);
        }
        return height;
    }

    /// How far up one must borrow.
    ///
    /// @param height height of the lowest subtree whose own quota is enough; 0 for the queue itself
    /// @param below whether that subtree is not the whole tree
    record Reach(int height, boolean below) {}

    Reach reach(FlavorResource fr, long amount) {
        if (parent == null || !borrowsWith(fr, amount)) {
            return new Reach(0, parent != null);
        }
        long rest = amount - localAvailable(fr);
        QuotaNode node = this;
        while (node.parent != null) {
            node = node.parent;
            if (!node.borrowsWith(fr, rest)) {
                return new Reach(node.height(), node.parent != null);
            }
            rest -= node.localAvailable(fr);
        }
        return new Reach(node.height(), false);
    }

    /// @return `/COHORT/…/QUEUE`
    String path() {
        return (parent == null ? "" : parent.path()) + "/" + name;
    }

    /// Names of resources that quota below here is given for.
    Set<FlavorResource> known() {
        return subtree.keySet();
    }
}
