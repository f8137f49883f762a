package org.meshbook.cluster.queue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.queue.Assignment.Choice;
import org.meshbook.cluster.queue.Assignment.Cursor;
import org.meshbook.cluster.queue.Assignment.Mode;
import org.meshbook.cluster.queue.Assignment.PodSetChoice;

/// Looks for a flavor for each resource of each pod set of one workload.
///
/// The pod sets are looked at in their order and count against each other; the resources of a group
/// come from one flavor. Resources are looked at by name, so that texts are the same in each run
/// (the real one takes them in any order).
final class FlavorAssigner {
    private final Workload workload;
    private final QueueSpec spec;
    private final QuotaNode node;
    private final Map<String, Flavor> flavors;
    private final Oracle oracle;
    private final Cursor cursor;
    private final long generation;
    private final @Nullable Reservation replaced;

    /// Says what preemption could do for one resource.
    interface Oracle {
        /// What it could do, and how far one borrows then.
        record Answer(Mode mode, int borrowing) {}

        Answer ask(FlavorResource fr, long amount);
    }

    FlavorAssigner(
            Workload workload,
            QueueSpec spec,
            QuotaNode node,
            Map<String, Flavor> flavors,
            Oracle oracle,
            Cursor cursor,
            long generation,
            @Nullable Reservation replaced) {
        this.workload = workload;
        this.spec = spec;
        this.node = node;
        this.flavors = flavors;
        this.oracle = oracle;
        this.cursor = cursor;
        this.generation = generation;
        this.replaced = replaced;
    }

    /// @param counts how many pods of each pod set
    Assignment assign(List<Integer> counts) {
        var podSets = new ArrayList<PodSetChoice>();
        var usage = new HashMap<FlavorResource, Long>();
        var tried = new ArrayList<Map<String, Integer>>();
        for (int i = 0; i < counts.size(); i++) {
            var podSet = workload.podSets().get(i);
            var choice = podSet(podSet, i, requests(podSet, counts.get(i)), usage, counts.get(i));
            podSets.add(choice);
            var indices = new HashMap<String, Integer>();
            choice.choices().forEach((resource, c) -> indices.put(resource, c.tried()));
            tried.add(indices);
            if (choice.choices().isEmpty() && !choice.requests().isEmpty()) {
                break;
            }
        }
        return new Assignment(podSets, usage, new Cursor(tried, generation));
    }

    private SortedMap<String, Long> requests(PodSet podSet, int count) {
        var requests = new TreeMap<String, Long>();
        podSet.requests().forEach((resource, amount) -> requests.put(resource, amount * count));
        if (spec.group("pods").isPresent()) {
            requests.put("pods", (long) count);
        }
        return requests;
    }

    private PodSetChoice podSet(
            PodSet podSet,
            int index,
            SortedMap<String, Long> requests,
            Map<FlavorResource, Long> usage,
            int count) {
        var choices = new TreeMap<String, Choice>();
        var reasons = new ArrayList<String>();
        var passed = new ArrayList<String>();
        for (var resource : requests.keySet()) {
            if (choices.containsKey(resource)) {
                continue;
            }
            var group = spec.group(resource);
            if (group.isEmpty()) {
                choices.clear();
                reasons.clear();
                reasons.add("resource %s unavailable in ClusterQueue".formatted(resource));
                break;
            }
            var search = new Search(group.get(), podSet, narrowed(requests, group.get()), usage);
            search.run(cursor.next(index, resource));
            passed.addAll(search.passed());
            if (search.best.isEmpty()) {
                choices.clear();
                reasons.clear();
                reasons.addAll(search.reasons);
                break;
            }
            reasons.addAll(search.reasons);
            choices.putAll(search.best);
        }
        choices.forEach(
                (resource, choice) ->
                        usage.merge(
                                new FlavorResource(choice.flavor(), resource),
                                charged(podSet.name(), resource, choice.flavor(), requests),
                                Long::sum));
        return new PodSetChoice(podSet.name(), count, requests, choices, reasons, passed);
    }

    private static SortedMap<String, Long> narrowed(
            SortedMap<String, Long> requests, QueueSpec.Group group) {
        var narrowed = new TreeMap<>(requests);
        narrowed.keySet().retainAll(group.resources());
        return narrowed;
    }

    /// A slice that takes another's place is charged with what it wants more.
    private long charged(
            String podSet, String resource, String flavor, Map<String, Long> requests) {
        long wanted = requests.getOrDefault(resource, 0L);
        return replaced == null
                ? wanted
                : Math.max(0, wanted - replaced.held(podSet, resource, flavor));
    }

    /// The search for one flavor for one pod set and one group of resources.
    private final class Search {
        private final QueueSpec.Group group;
        private final PodSet podSet;
        private final SortedMap<String, Long> requests;
        private final Map<FlavorResource, Long> usage;
        private final Set<String> known = new HashSet<>();
        private final List<String> looked = new ArrayList<>();
        private final List<String> reasons = new ArrayList<>();
        private SortedMap<String, Choice> best = new TreeMap<>();
        private Mode bestMode = Mode.NO_FIT;
        private int bestBorrowing = Integer.MAX_VALUE;

        Search(
                QueueSpec.Group group,
                PodSet podSet,
                SortedMap<String, Long> requests,
                Map<FlavorResource, Long> usage) {
            this.group = group;
            this.podSet = podSet;
            this.requests = requests;
            this.usage = usage;
            for (var quota : group.flavors()) {
                var flavor = flavors.get(quota.flavor());
                if (flavor != null) {
                    known.addAll(flavor.labels().keySet());
                }
            }
        }

        void run(int from) {
            int last = group.flavors().size() - 1;
            int index = Math.min(from, last);
            for (; index <= last; index++) {
                if (tryFlavor(group.flavors().get(index).flavor())) {
                    break;
                }
            }
            int tried = index >= last ? -1 : index;
            var marked = new TreeMap<String, Choice>();
            best.forEach((resource, choice) -> marked.put(resource, choice.tried(tried)));
            best = marked;
            if (bestMode == Mode.FIT) {
                reasons.clear();
            }
        }

        /// Flavors that were looked at before the one that was chosen.
        List<String> passed() {
            if (best.isEmpty()) {
                return List.of();
            }
            var chosen = best.firstEntry().getValue().flavor();
            return looked.stream().filter(l -> !l.startsWith(chosen + "(")).toList();
        }

        /// @return whether the search ends here
        private boolean tryFlavor(String name) {
            var mismatch = mismatch(name);
            if (!mismatch.isEmpty()) {
                reasons.add(mismatch);
                looked.add("%s(NoFit;%s)".formatted(name, mismatch));
                return false;
            }
            var found = new TreeMap<String, Choice>();
            var lacking = new ArrayList<String>();
            var mode = Mode.FIT;
            int borrowing = 0;
            for (var request : requests.entrySet()) {
                var fr = new FlavorResource(name, request.getKey());
                long amount = charged(podSet.name(), request.getKey(), name, requests);
                var choice = fit(fr, usage.getOrDefault(fr, 0L), amount, lacking);
                mode = choice.mode().compareTo(mode) < 0 ? choice.mode() : mode;
                borrowing = Math.max(borrowing, choice.borrowing());
                if (mode == Mode.NO_FIT) {
                    break;
                }
                found.put(request.getKey(), choice);
            }
            reasons.addAll(lacking);
            if (mode != Mode.FIT) {
                looked.add("%s(%s;%s)".formatted(name, label(mode), String.join(";", lacking)));
            }
            boolean ends = ends(mode, borrowing);
            if (ends || preferred(mode, borrowing)) {
                best = found;
                bestMode = mode;
                bestBorrowing = borrowing;
            }
            return ends;
        }

        private String mismatch(String name) {
            var flavor = flavors.get(name);
            if (flavor == null) {
                return "flavor %s not found".formatted(name);
            }
            var rules = podSet.rules();
            for (var taint : flavor.taints()) {
                boolean tolerated =
                        rules.tolerates(taint)
                                || flavor.tolerations().stream().anyMatch(t -> t.tolerates(taint));
                if (!tolerated) {
                    return "untolerated taint %s in flavor %s".formatted(taint, name);
                }
            }
            return rules.match(flavor.labels(), known)
                    ? elsewhere(name)
                    : "flavor %s doesn't match node affinity".formatted(name);
        }

        /// A slice gets the flavor of the one whose place it takes, or none.
        private String elsewhere(String name) {
            if (replaced == null) {
                return "";
            }
            return requests.keySet().stream()
                    .map(resource -> replaced.flavor(podSet.name(), resource))
                    .filter(before -> !before.isEmpty() && !before.equals(name))
                    .map(
                            before ->
                                    ("could not assign %s flavor since the original workload is"
                                                    + " assigned: %s")
                                            .formatted(name, before))
                    .findFirst()
                    .orElse("");
        }

        private boolean ends(Mode mode, int borrowing) {
            var policy = spec.fungibility();
            if (mode.preempts()) {
                return policy.preemptStops() && (borrowing == 0 || policy.borrowStops());
            }
            return mode == Mode.FIT && (borrowing == 0 || policy.borrowStops());
        }

        private boolean preferred(Mode mode, int borrowing) {
            if (mode == Mode.NO_FIT) {
                return false;
            }
            if (bestMode == Mode.NO_FIT) {
                return true;
            }
            int byMode = mode.compareTo(bestMode);
            int byBorrowing = Integer.compare(bestBorrowing, borrowing);
            return spec.fungibility().borrowFirst()
                    ? byMode > 0 || (byMode == 0 && byBorrowing > 0)
                    : byBorrowing > 0 || (byBorrowing == 0 && byMode > 0);
        }
    }

    private Choice fit(FlavorResource fr, long assumed, long amount, List<String> reasons) {
        long total = assumed + amount;
        long capacity = node.capacity(fr);
        var resource = fr.resource();
        if (total > capacity) {
            reasons.add(
                    ("insufficient quota for %s in flavor %s, previously considered podsets"
                                    + " requests (%s) + current podset request (%s) > maximum"
                                    + " capacity (%s)")
                            .formatted(
                                    resource,
                                    fr.flavor(),
                                    Amounts.text(resource, assumed),
                                    Amounts.text(resource, amount),
                                    Amounts.text(resource, capacity)));
            return new Choice(fr.flavor(), Mode.NO_FIT, 0, -1);
        }
        var reach = node.reach(fr, total);
        long available = node.available(fr);
        if (total <= available) {
            return new Choice(fr.flavor(), Mode.FIT, reach.height(), -1);
        }
        reasons.add(
                "insufficient unused quota for %s in flavor %s, %s more needed"
                        .formatted(
                                resource, fr.flavor(), Amounts.text(resource, total - available)));
        if (total <= node.own(fr).nominal()
                || reach.below()
                || spec.preemption().whileBorrowing()) {
            var answer = oracle.ask(fr, total);
            return new Choice(fr.flavor(), answer.mode(), answer.borrowing(), -1);
        }
        return new Choice(fr.flavor(), Mode.NO_CANDIDATES, reach.height(), -1);
    }

    private static String label(Mode mode) {
        return switch (mode) {
            case NO_FIT -> "NoFit";
            case NO_CANDIDATES -> "preemptionMode=NoCandidates";
            case PREEMPT -> "preemptionMode=Preempt";
            case RECLAIM -> "preemptionMode=Reclaim";
            case FIT -> "Fit";
        };
    }
}
