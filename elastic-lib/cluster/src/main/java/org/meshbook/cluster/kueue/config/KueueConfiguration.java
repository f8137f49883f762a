package org.meshbook.cluster.kueue.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.meshbook.cluster.Durations;
import org.meshbook.cluster.kueue.Kueue;
import org.meshbook.cluster.manifest.Manifest;
import org.meshbook.cluster.manifest.ManifestException;
import org.meshbook.cluster.queue.Gate;
import org.meshbook.cluster.queue.PodsReady;
import org.meshbook.cluster.queue.Rules;
import org.meshbook.cluster.queue.Rules.FairStrategy;
import tools.jackson.databind.JsonNode;

/// What a `Configuration` of Kueue changes, and what of it makes no difference here.
///
/// @param rules the rules with it
/// @param ignored fields and names that are not emulated, in the order of the file
public record KueueConfiguration(Rules rules, List<String> ignored) {
    private static final String KIND = "Configuration";
    private static final String NO_PODS_READY = "DisableWaitForPodsReady";
    private static final String GROUP = "config.kueue.x-k8s.io/";
    private static final Map<String, FairStrategy> STRATEGIES =
            Map.of(
                    "LessThanOrEqualToFinalShare",
                    FairStrategy.LESS_THAN_OR_EQUAL_TO_FINAL_SHARE,
                    "LessThanInitialShare",
                    FairStrategy.LESS_THAN_INITIAL_SHARE);

    public KueueConfiguration {
        ignored = List.copyOf(ignored);
    }

    /// @param text a `Configuration` in YAML
    /// @param shipped the rules of the release
    /// @return the rules with it
    /// @throws IllegalArgumentException if it is none, or a value cannot be read; one line
    public static KueueConfiguration read(String text, Rules shipped) {
        var reading = new Reading(shipped);
        for (var field : root(text).properties()) {
            var read = reading.fields.get(field.getKey());
            if (read == null) {
                reading.ignored.add(field.getKey());
            } else {
                read.accept(field.getValue());
            }
        }
        return new KueueConfiguration(reading.rules, reading.ignored);
    }

    /// @param gates `NAME=true,NAME=false`
    /// @param shipped the rules of the release
    /// @return the rules with those gates
    /// @throws IllegalArgumentException if a gate is unknown here; with those that are known
    public static Rules gates(String gates, Rules shipped) {
        var rules = shipped;
        for (var each : gates.split(",")) {
            var parts = each.strip().split("=", 2);
            if (parts.length != 2 || !parts[1].matches("true|false")) {
                throw new IllegalArgumentException(
                        "gate \"%s\" is not written NAME=true or NAME=false".formatted(each));
            }
            var switched = gate(rules, parts[0], parts[1].equals("true"));
            rules =
                    switched.orElseThrow(
                            () ->
                                    new IllegalArgumentException(
                                            "gate \"%s\" is not emulated; known: %s, %s"
                                                    .formatted(
                                                            parts[0],
                                                            String.join(", ", Gate.features()),
                                                            NO_PODS_READY)));
        }
        return rules;
    }

    private static Optional<Rules> gate(Rules rules, String name, boolean on) {
        if (name.equals(NO_PODS_READY)) {
            return Optional.of(on ? rules.withPodsReady(Optional.empty()) : rules);
        }
        return Gate.feature(name).map(gate -> rules.with(gate, on));
    }

    private static JsonNode root(String text) {
        try {
            var documents = Manifest.read("the configuration", text).complete();
            if (documents.size() == 1) {
                var root = documents.getFirst().resource();
                if (root.text("kind").equals(KIND) && root.text("apiVersion").startsWith(GROUP)) {
                    return root.json();
                }
            }
        } catch (ManifestException unreadable) {
            throw new IllegalArgumentException(unreadable.getMessage(), unreadable);
        }
        throw new IllegalArgumentException(
                "Kueue's configuration is one object of kind Configuration in %sv1beta2"
                        .formatted(GROUP));
    }

    /// One file, read from its first field to its last.
    private static final class Reading {
        private static final Function<String, Duration> SECONDS =
                text -> Durations.read(text + "s");

        private final List<String> ignored = new ArrayList<>();
        private final Map<String, Consumer<JsonNode>> fields =
                Map.of(
                        "apiVersion", _ -> {},
                        "kind", _ -> {},
                        "manageJobsWithoutQueueName", this::manageAll,
                        "waitForPodsReady", this::podsReady,
                        "integrations", this::integrations,
                        "fairSharing", this::fairSharing,
                        "featureGates", this::featureGates);
        private Rules rules;

        Reading(Rules shipped) {
            rules = shipped;
        }

        private void manageAll(JsonNode on) {
            rules = rules.with(Gate.MANAGE_JOBS_WITHOUT_QUEUE_NAME, on.asBoolean(false));
        }

        /// In v1beta1 it has to be enabled; in v1beta2 it counts if it is there.
        private void podsReady(JsonNode wait) {
            if (!wait.path("enable").asBoolean(true)) {
                rules = rules.withPodsReady(Optional.empty());
                return;
            }
            var usual = rules.podsReady().orElse(PodsReady.USUAL);
            var again = wait.path("requeuingStrategy");
            var timeout = value(wait, "timeout", Durations::read, usual.timeout());
            var limit = again.path("backoffLimitCount");
            rules =
                    rules.withPodsReady(
                            Optional.of(
                                    new PodsReady(
                                            timeout,
                                            value(
                                                    wait,
                                                    "recoveryTimeout",
                                                    Durations::read,
                                                    timeout),
                                            !again.path("timestamp")
                                                    .asString("")
                                                    .equals("Creation"),
                                            limit.isNumber()
                                                    ? OptionalInt.of(limit.asInt())
                                                    : OptionalInt.empty(),
                                            value(
                                                    again,
                                                    "backoffBaseSeconds",
                                                    SECONDS,
                                                    usual.base()),
                                            value(
                                                    again,
                                                    "backoffMaxSeconds",
                                                    SECONDS,
                                                    usual.most()))));
            if (wait.path("blockAdmission").asBoolean(false)) {
                ignored.add("waitForPodsReady.blockAdmission");
            }
        }

        private static Duration value(
                JsonNode node, String field, Function<String, Duration> read, Duration otherwise) {
            var text = node.path(field).asString("");
            return text.isEmpty() ? otherwise : read.apply(text);
        }

        private void integrations(JsonNode integrations) {
            var names = texts(integrations.path("frameworks"));
            if (!names.isEmpty()) {
                rules = rules.withFrameworks(Set.copyOf(names));
                names.stream()
                        .filter(name -> !Kueue.frameworks().contains(name))
                        .map(name -> "integration " + name)
                        .forEach(ignored::add);
            }
            integrations.properties().stream()
                    .map(Map.Entry::getKey)
                    .filter(name -> !name.equals("frameworks"))
                    .map(name -> "integrations." + name)
                    .forEach(ignored::add);
        }

        private void fairSharing(JsonNode sharing) {
            if (!sharing.path("enable").asBoolean(true)) {
                return;
            }
            var named = texts(sharing.path("preemptionStrategies"));
            var all =
                    named.isEmpty()
                            ? List.of(FairStrategy.values())
                            : named.stream().map(Reading::strategy).toList();
            rules = rules.withFairSharing(all);
        }

        private static FairStrategy strategy(String name) {
            var found = STRATEGIES.get(name);
            if (found == null) {
                throw new IllegalArgumentException(
                        "fairSharing.preemptionStrategies has no \"%s\"; known: %s"
                                .formatted(name, STRATEGIES.keySet().stream().sorted().toList()));
            }
            return found;
        }

        private void featureGates(JsonNode gates) {
            for (var each : gates.properties()) {
                var on = each.getValue().asBoolean(false);
                gate(rules, each.getKey(), on)
                        .ifPresentOrElse(
                                switched -> rules = switched,
                                () -> ignored.add("gate " + each.getKey()));
            }
        }

        private static List<String> texts(JsonNode list) {
            return list.valueStream().map(n -> n.asString("")).toList();
        }
    }
}
