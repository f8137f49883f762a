package org.meshbook.cluster.lint.manifests;

import static org.meshbook.cluster.lint.rule.Severity.ERROR;
import static org.meshbook.cluster.lint.rule.Severity.INFO;
import static org.meshbook.cluster.lint.rule.Severity.WARNING;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.lint.rule.Finding;
import org.meshbook.cluster.lint.rule.Item;
import org.meshbook.cluster.lint.rule.Rule;
import org.meshbook.cluster.lint.rule.Severity;
import org.meshbook.cluster.lint.rule.Subject;
import org.meshbook.cluster.manifest.Value;

/// Rules about JobSets and Jobs.
final class JobRules {
    private static final int LABEL = 63;
    private static final int SUFFIX = "-xxxxx".length();

    private JobRules() {}

    static List<Rule> all() {
        return List.of(
                new Rule(
                        "JS001",
                        WARNING,
                        "a JobSet written twice",
                        "give them distinct names, or delete the first one before",
                        JobRules::twice),
                new Rule(
                        "JS002",
                        INFO,
                        "pods that do not say when they are restarted",
                        "write `restartPolicy: OnFailure`; `Never` for clean restarts",
                        JobRules::restartPolicy),
                new Rule(
                        "JS004",
                        ERROR,
                        "a name too long for its pods",
                        "shorten the names",
                        JobRules::names),
                new Rule(
                        "JS005",
                        ERROR,
                        "a podFailurePolicy for pods that are restarted in place",
                        "write `restartPolicy: Never`",
                        JobRules::failurePolicy));
    }

    private static Stream<Finding> twice(Rule rule, Subject subject) {
        var seen = new HashMap<String, Item>();
        var found = new ArrayList<Finding>();
        subject.items(Kinds.JOB_SET)
                .filter(item -> !item.name().isEmpty())
                .forEach(
                        item -> {
                            var first =
                                    seen.putIfAbsent(item.namespace() + "/" + item.name(), item);
                            if (first != null) {
                                found.add(twice(rule, item, first));
                            }
                        });
        return found.stream();
    }

    private static Finding twice(Rule rule, Item item, Item first) {
        var name = first.at("metadata", "name").key();
        return rule.at(
                        item,
                        item.at("metadata", "name"),
                        "%s stands in %s:%d already"
                                .formatted(
                                        item.title(),
                                        first.source().name(),
                                        first.source().given(name).line()))
                .verdict(
                        "admission webhook \"vjobset.kb.io\" denied the request:"
                                + " spec.replicatedJobs: Invalid value: […]: field is immutable (also"
                                + " for a second `kubectl apply` of the same file; `--server-side`"
                                + " accepts that)");
    }

    private static Stream<Finding> restartPolicy(Rule rule, Subject subject) {
        return Work.in(subject)
                .filter(w -> w.item().is(Kinds.JOB_SET) || w.item().is(Kinds.JOB))
                .flatMap(
                        w ->
                                w.pods().stream()
                                        .filter(p -> p.spec().exists())
                                        .filter(p -> !p.spec().at("restartPolicy").exists())
                                        .map(p -> restartPolicy(rule, w.item(), p)));
    }

    private static Finding restartPolicy(Rule rule, Item item, PodSet pods) {
        boolean plain = item.is(Kinds.JOB);
        var finding =
                rule.at(item, pods.spec(), "restartPolicy is not set")
                        .as(plain ? Severity.ERROR : Severity.INFO)
                        .verdict(
                                plain
                                        ? "The Job \"%s\" is invalid: spec.template.spec.restartPolicy: Required value: valid values: \"OnFailure\", \"Never\""
                                                .formatted(item.name())
                                        : "accepted; the JobSet sets OnFailure: with backoffLimit 0"
                                                + " a container may be restarted once in place");
        return finding.edits(Texts.into(item, pods.spec(), "restartPolicy: OnFailure"));
    }

    private static Stream<Finding> names(Rule rule, Subject subject) {
        return subject.items(Kinds.JOB_SET)
                .flatMap(
                        item ->
                                item.at("spec", "replicatedJobs").items().stream()
                                        .map(job -> names(rule, item, job)))
                .flatMap(Optional::stream);
    }

    private static Optional<Finding> names(Rule rule, Item item, Value job) {
        var name = longest(item, job);
        if (name.length() <= LABEL) {
            return Optional.empty();
        }
        var message =
                "pods would be called %s…, %d characters; %d are allowed"
                        .formatted(name.substring(0, 40), name.length(), LABEL);
        return Optional.of(
                rule.at(item, job.at("name"), message)
                        .verdict(
                                "admission webhook \"vjobset.kb.io\" denied the request: JobSet"
                                        + " name is too long, pod names generated for this JobSet will"
                                        + " exceed 63 characters"));
    }

    private static String longest(Item item, Value job) {
        long last = Math.max(0, job.at("replicas").number(1) - 1);
        var spec = job.at("template", "spec");
        long pods = spec.at("completions").number(spec.at("parallelism").number(1));
        return "%s-%s-%d-%d%s"
                .formatted(
                        item.name(),
                        job.at("name").text(),
                        last,
                        Math.max(0, pods - 1),
                        "x".repeat(SUFFIX));
    }

    private static Stream<Finding> failurePolicy(Rule rule, Subject subject) {
        return subject.items()
                .flatMap(item -> jobs(item).map(job -> failurePolicy(rule, item, job)))
                .flatMap(Optional::stream);
    }

    private static Optional<Finding> failurePolicy(Rule rule, Item item, Value job) {
        var policy = job.at("podFailurePolicy");
        var restarts = job.at("template", "spec", "restartPolicy").text();
        if (!policy.exists() || restarts.equals("Never")) {
            return Optional.empty();
        }
        return Optional.of(
                rule.at(item, policy, "podFailurePolicy needs pods with `restartPolicy: Never`")
                        .verdict(
                                ("spec.template.spec.restartPolicy: Invalid value: \"%s\": only"
                                                + " \"Never\" is supported when podFailurePolicy is"
                                                + " specified")
                                        .formatted(or(restarts, "OnFailure"))));
    }

    private static Stream<Value> jobs(Item item) {
        return item.is(Kinds.JOB)
                ? Stream.of(item.at("spec"))
                : item.at("spec", "replicatedJobs").items().stream()
                        .map(j -> j.at("template", "spec"));
    }

    private static String or(String text, String other) {
        return text.isEmpty() ? other : text;
    }
}
