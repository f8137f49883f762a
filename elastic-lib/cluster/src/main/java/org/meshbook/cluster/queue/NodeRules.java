package org.meshbook.cluster.queue;

import java.util.List;
import java.util.Map;
import java.util.Set;

/// Which nodes the pods of a pod set may run on, as far as a flavor can tell.
///
/// @param selector labels that a node must have
/// @param terms required node affinity; one of them must hold, if there are any
/// @param tolerations taints that the pods put up with
public record NodeRules(
        Map<String, String> selector, List<Term> terms, List<Toleration> tolerations) {
    /// Any node.
    public static final NodeRules NONE = new NodeRules(Map.of(), List.of(), List.of());

    public NodeRules {
        selector = Map.copyOf(selector);
        terms = List.copyOf(terms);
        tolerations = List.copyOf(tolerations);
    }

    /// One term of node affinity: all requirements must hold.
    ///
    /// @param requirements what must hold
    public record Term(List<Requirement> requirements) {
        public Term {
            requirements = List.copyOf(requirements);
        }
    }

    /// What must hold of one label.
    ///
    /// @param key the label
    /// @param operator `In`, `NotIn`, `Exists`, `DoesNotExist`, `Gt` or `Lt`
    /// @param values what to compare with
    public record Requirement(String key, String operator, List<String> values) {
        public Requirement {
            values = List.copyOf(values);
        }

        boolean holds(Map<String, String> labels) {
            boolean there = labels.containsKey(key);
            var value = labels.getOrDefault(key, "");
            return switch (operator) {
                case "In" -> there && values.contains(value);
                case "NotIn" -> !there || !values.contains(value);
                case "Exists" -> there;
                case "DoesNotExist" -> !there;
                case "Gt" -> there && Long.parseLong(value) > Long.parseLong(values.getFirst());
                case "Lt" -> there && Long.parseLong(value) < Long.parseLong(values.getFirst());
                default -> false;
            };
        }
    }

    /// A taint of nodes.
    ///
    /// @param key its name
    /// @param value its value, often empty
    /// @param effect `NoSchedule`, `NoExecute` or `PreferNoSchedule`
    public record Taint(String key, String value, String effect) {
        boolean repels() {
            return effect.equals("NoSchedule") || effect.equals("NoExecute");
        }

        /// @return as the real one prints it
        @Override
        public String toString() {
            return "{%s %s %s <nil>}".formatted(key, value, effect);
        }
    }

    /// A taint that pods put up with.
    ///
    /// @param key its name; empty for all
    /// @param operator `Equal` or `Exists`
    /// @param value its value
    /// @param effect its effect; empty for all
    public record Toleration(String key, String operator, String value, String effect) {
        boolean tolerates(Taint taint) {
            if (!effect.isEmpty() && !effect.equals(taint.effect())) {
                return false;
            }
            if (!key.isEmpty() && !key.equals(taint.key())) {
                return false;
            }
            return operator.equals("Exists") || (!key.isEmpty() && value.equals(taint.value()));
        }
    }

    boolean tolerates(Taint taint) {
        return !taint.repels() || tolerations.stream().anyMatch(t -> t.tolerates(taint));
    }

    /// Labels that no flavor of the group speaks of are left to the scheduler of pods.
    boolean match(Map<String, String> labels, Set<String> known) {
        boolean selected =
                selector.entrySet().stream()
                        .filter(e -> known.contains(e.getKey()))
                        .allMatch(e -> e.getValue().equals(labels.get(e.getKey())));
        if (!selected || terms.isEmpty()) {
            return selected;
        }
        var narrowed =
                terms.stream()
                        .map(
                                t ->
                                        t.requirements().stream()
                                                .filter(r -> known.contains(r.key()))
                                                .toList())
                        .toList();
        return narrowed.stream().anyMatch(List::isEmpty)
                || narrowed.stream().anyMatch(t -> t.stream().allMatch(r -> r.holds(labels)));
    }
}
