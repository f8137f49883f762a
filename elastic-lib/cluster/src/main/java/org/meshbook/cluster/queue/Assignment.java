package org.meshbook.cluster.queue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Which flavor each resource of each pod set would come from.
///
/// @param podSets one for each pod set that was looked at; the search ends at the first that has
///   none
/// @param usage what it would cost
/// @param cursor where to go on next time
public record Assignment(
        List<PodSetChoice> podSets, Map<FlavorResource, Long> usage, Cursor cursor) {
    public Assignment {
        podSets = List.copyOf(podSets);
        usage = Map.copyOf(usage);
    }

    /// How well a request fits, from bad to good.
    enum Mode {
        NO_FIT,
        NO_CANDIDATES,
        PREEMPT,
        RECLAIM,
        FIT;

        boolean preempts() {
            return this == PREEMPT || this == RECLAIM;
        }
    }

    /// The flavor of one resource.
    ///
    /// @param flavor its name
    /// @param mode how well it fits
    /// @param borrowing how far up it borrows
    /// @param tried the last flavor that was looked at; -1 for all
    record Choice(String flavor, Mode mode, int borrowing, int tried) {
        Choice tried(int index) {
            return new Choice(flavor, mode, borrowing, index);
        }
    }

    /// What one pod set gets.
    ///
    /// @param name its name
    /// @param count how many pods
    /// @param requests what they ask for together
    /// @param choices the flavors, by resource; empty if there are none for it
    /// @param reasons why it does not simply fit
    /// @param passed the flavors that were looked at before, and what was wrong with them
    public record PodSetChoice(
            String name,
            int count,
            SortedMap<String, Long> requests,
            SortedMap<String, Choice> choices,
            List<String> reasons,
            List<String> passed) {
        /// @return the flavor of each resource
        public SortedMap<String, String> flavors() {
            var flavors = new TreeMap<String, String>();
            choices.forEach((resource, choice) -> flavors.put(resource, choice.flavor()));
            return flavors;
        }

        Mode mode() {
            if (reasons.isEmpty()) {
                return Mode.FIT;
            }
            return choices.values().stream()
                    .map(Choice::mode)
                    .min(Mode::compareTo)
                    .orElse(Mode.NO_FIT);
        }
    }

    /// Where the search among flavors ended, so that the next one goes on behind.
    ///
    /// @param tried for each pod set, the last flavor that was looked at by resource; -1 for all
    /// @param generation of the queue; a later one makes the cursor void
    record Cursor(List<Map<String, Integer>> tried, long generation) {
        static final Cursor START = new Cursor(List.of(), 0);

        int next(int podSet, String resource) {
            return podSet < tried.size() ? tried.get(podSet).getOrDefault(resource, -1) + 1 : 0;
        }

        boolean pending() {
            return tried.stream().anyMatch(m -> m.values().stream().anyMatch(i -> i != -1));
        }
    }

    Mode mode() {
        return podSets.stream().map(PodSetChoice::mode).min(Mode::compareTo).orElse(Mode.FIT);
    }

    int borrowing() {
        return podSets.stream()
                .flatMap(p -> p.choices().values().stream())
                .mapToInt(Choice::borrowing)
                .max()
                .orElse(0);
    }

    /// @return why it does not fit, as the condition says
    String message() {
        return podSets.stream()
                .filter(p -> !p.reasons().isEmpty() && p.mode() != Mode.FIT)
                .map(
                        p ->
                                "couldn't assign flavors to pod set %s: %s"
                                        .formatted(
                                                p.name(),
                                                p.reasons().stream()
                                                        .sorted()
                                                        .collect(Collectors.joining(", "))))
                .collect(Collectors.joining("; "));
    }

    /// @return the flavors that were passed over, as the event of a reservation tells; `""` if none
    String considered() {
        return podSets.stream()
                .filter(p -> !p.passed().isEmpty())
                .map(p -> p.name() + ": " + String.join(", ", p.passed()))
                .collect(Collectors.joining("; "));
    }

    /// @return resources for which others would have to go
    List<FlavorResource> needed() {
        var needed = new ArrayList<FlavorResource>();
        for (var podSet : podSets) {
            podSet.choices()
                    .forEach(
                            (resource, choice) -> {
                                if (choice.mode() != Mode.FIT) {
                                    needed.add(new FlavorResource(choice.flavor(), resource));
                                }
                            });
        }
        return needed.stream().distinct().sorted().toList();
    }

    /// @return the flavor of each resource of each pod set
    public Map<String, Map<String, String>> flavors() {
        var flavors = new HashMap<String, Map<String, String>>();
        podSets.forEach(p -> flavors.put(p.name(), p.flavors()));
        return flavors;
    }
}
