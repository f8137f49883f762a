package org.meshbook.cluster.queue;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// In which order the nominees of a cycle are admitted.
interface AdmissionOrder {
    /// @return the next one; null if none is left
    @Nullable Nominee next();

    /// @param nominees all of a cycle
    /// @param rules whether shares count
    static AdmissionOrder of(List<Nominee> nominees, Rules rules) {
        return rules.fairSharing() ? new FairOrder(nominees) : classical(nominees);
    }

    private static AdmissionOrder classical(List<Nominee> nominees) {
        var order =
                Comparator.comparingInt((Nominee n) -> n.assignment().borrowing())
                        .thenComparing(n -> -(long) n.workload().priority())
                        .thenComparing(n -> n.workload().queuedAt())
                        .thenComparing(n -> n.workload().uid());
        var sorted = nominees.stream().sorted(order).iterator();
        return () -> sorted.hasNext() ? sorted.next() : null;
    }

    /// A tournament: at each cohort, the side goes on that would have the smaller share.
    final class FairOrder implements AdmissionOrder {
        private final Map<QuotaNode, Nominee> left = new LinkedHashMap<>();

        FairOrder(List<Nominee> nominees) {
            nominees.forEach(n -> left.put(n.node(), n));
        }

        @Override
        public @Nullable Nominee next() {
            if (left.isEmpty()) {
                return null;
            }
            var first = left.keySet().iterator().next();
            var winner = first.parent == null ? left.get(first) : winner(first.root());
            left.remove(Objects.requireNonNull(winner).node());
            return winner;
        }

        private @Nullable Nominee winner(QuotaNode node) {
            if (node.queue) {
                return left.get(node);
            }
            Nominee best = null;
            double least = 0;
            for (var child : node.children) {
                var nominee = winner(child);
                if (nominee == null) {
                    continue;
                }
                double share = shareWith(nominee, child);
                if (best == null
                        || share < least
                        || (share == least && before(nominee.workload(), best.workload()))) {
                    best = nominee;
                    least = share;
                }
            }
            return best;
        }

        private static double shareWith(Nominee nominee, QuotaNode node) {
            nominee.node().add(nominee.assignment().usage());
            double share = FairShare.of(node);
            nominee.node().remove(nominee.assignment().usage());
            return share;
        }

        private static boolean before(Workload a, Workload b) {
            if (a.priority() != b.priority()) {
                return a.priority() > b.priority();
            }
            return a.queuedAt().isBefore(b.queuedAt());
        }
    }
}
