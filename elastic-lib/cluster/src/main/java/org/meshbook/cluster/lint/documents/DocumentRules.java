package org.meshbook.cluster.lint.documents;

import static org.meshbook.cluster.lint.rule.Severity.INFO;
import static org.meshbook.cluster.lint.rule.Severity.WARNING;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.BiFunction;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;
import org.meshbook.cluster.lint.rule.Finding;
import org.meshbook.cluster.lint.rule.Rule;
import org.meshbook.cluster.lint.rule.Subject;
import org.meshbook.cluster.lint.rule.Text;

/// Rules about what stands around the manifests of a document: prose, commands, output.
public final class DocumentRules {
    private static final Pattern JOB_SET =
            Pattern.compile(
                    "kind:\\s{1,9}JobSet\\s{1,9}metadata:\\s{1,99}name:\\s{1,9}\"?([a-z0-9.-]+)");
    private static final Pattern WORKLOAD =
            Pattern.compile(
                    "\\bjobset-([a-z0-9.-]+)-[0-9a-f]{5}\\s[^\\n"
                            + "]{0,200}?\\s(?:(\\d+)d)?(?:(\\d+)h)?(?:(\\d+)m)?(?:(\\d+)s)?(?=\\s|$)(?<=[smhd])");
    private static final Pattern ADMITTED_BY = Pattern.compile("NAME +QUEUE +ADMITTED BY +AGE");
    private static final Pattern MATCHER =
            Pattern.compile("(jobset_name|entity_name)=~\"([^\"\\n]{1,200})\"");
    private static final Pattern JOB_SET_RELEASE =
            Pattern.compile("jobset/releases/download/(v[\\d.]+|\\$\\{?VERSION}?)");
    private static final Pattern VERSION = Pattern.compile("VERSION=(v[\\d.]+)");
    private static final Pattern HEAD_SERVICE =
            Pattern.compile("port-forward +(?:service|svc)/([a-z0-9.-]+)-head-svc");
    private static final Pattern ELASTIC_FLAG = Pattern.compile("--num_elastic_instances");
    private static final Pattern PRIORITY_FLAG =
            Pattern.compile(
                    "--priority=\\S+[^\\n"
                            + "]{0,80}gcluster[^\\n"
                            + "]{0,120}pathways-head[^\\n"
                            + "]{0,80}priorityClassName");
    private static final Pattern CLOUD_DEPLOY = Pattern.compile("Cloud Deploy\\b");
    private static final Pattern CLASS_VALUE =
            Pattern.compile(
                    "kind:\\s{1,9}PriorityClass\\s{1,9}metadata:\\s{1,99}name:\\s{1,9}(\\S+)\\s{1,9}value:\\s{1,9}(\\d{1,10})");
    private static final Pattern FLEX_POOL =
            Pattern.compile("gcloud[^\\n]*node-pools create(?:[^\\n]*\\\\\\n)*[^\\n]*");
    private static final int VERY_HIGH = 1000;

    private DocumentRules() {}

    /// @return the rules
    public static List<Rule> all() {
        return List.of(
                new Rule(
                        "KQ010",
                        WARNING,
                        "output in another order than the manifests",
                        "submit them in the order of the output: the largest first",
                        DocumentRules::order),
                new Rule(
                        "KQ011",
                        INFO,
                        "a column that Kueue does not print any more",
                        "none needed: the columns are NAME, QUEUE, RESERVED IN, ADMITTED, FINISHED,"
                                + " AGE",
                        each(
                                ADMITTED_BY,
                                (_, _) -> "the column ADMITTED BY is of Kueue 0.6 and older")),
                new Rule(
                        "PQ001",
                        WARNING,
                        "a query that matches no job",
                        "write the jobs' name",
                        DocumentRules::query),
                new Rule(
                        "JS003",
                        INFO,
                        "an old release of JobSet",
                        "take v0.11 or newer: before, the priority label on pods is not reliable,"
                                + " and so is preemption beside exclusive placement",
                        DocumentRules::release),
                new Rule(
                        "RJ004",
                        INFO,
                        "a service named after a RayJob",
                        "ask for the name: kubectl get rayjob NAME -o"
                                + " jsonpath={.status.rayClusterName}, then -head-svc",
                        each(
                                HEAD_SERVICE,
                                (m, _) ->
                                        "service %s-head-svc is there from KubeRay 1.5 on, and only while the job runs"
                                                .formatted(m.group(1)))),
                new Rule(
                        "PW001",
                        INFO,
                        "a flag whose name depends on the image",
                        "try --num_elastic_slices if the proxy refuses it",
                        each(
                                ELASTIC_FLAG,
                                (_, _) ->
                                        "Cluster Toolkit, xpk and pathways-utils write"
                                                + " --num_elastic_slices; which one the image wants"
                                                + " depends on its tag")),
                new Rule(
                        "PW002",
                        INFO,
                        "a priority for the workers only",
                        "set priorityClassName on the head by yourself, too",
                        each(
                                PRIORITY_FLAG,
                                (_, _) ->
                                        "the toolkit's template sets priorityClassName on the"
                                                + " workers, not on pathways-head")),
                new Rule(
                        "PW003",
                        INFO,
                        "a priority above the toolkit's highest",
                        "none needed, if that is meant",
                        DocumentRules::highest),
                new Rule(
                        "PW004",
                        INFO,
                        "a product's name where none is meant",
                        "read it as cloud deployments",
                        DocumentRules::cloudDeploy),
                new Rule(
                        "PR004",
                        WARNING,
                        "a pool of TPUs that is both queued and flex-start",
                        "check that your GKE release offers both for TPUs before you rely on it",
                        DocumentRules::flexPool));
    }

    private static Rule.Check each(Pattern pattern, BiFunction<MatchResult, Text, String> says) {
        return (rule, subject) ->
                subject.texts().stream()
                        .flatMap(
                                text ->
                                        pattern.matcher(text.text())
                                                .results()
                                                .map(m -> at(rule, text, m, says.apply(m, text))));
    }

    private static Finding at(Rule rule, Text text, MatchResult match, String message) {
        return rule.at(text.source(), text.place(match.start(), match.end()), message);
    }

    /// Ages tell in which order jobs were submitted.
    private static Stream<Finding> order(Rule rule, Subject subject) {
        var found = new ArrayList<Finding>();
        for (var text : subject.texts()) {
            var written = names(text);
            var ages = new LinkedHashMap<String, Long>();
            MatchResult first = null;
            for (var m : WORKLOAD.matcher(text.text()).results().toList()) {
                first = first == null ? m : first;
                ages.putIfAbsent(m.group(1), seconds(m));
            }
            var known = written.stream().filter(ages::containsKey).distinct().toList();
            var submitted =
                    known.stream()
                            .sorted(Comparator.comparing(ages::get, Comparator.reverseOrder()))
                            .toList();
            if (first != null && !submitted.equals(known)) {
                found.add(
                        at(
                                        rule,
                                        text,
                                        first,
                                        "by their ages the jobs were submitted as %s; the manifest lists %s"
                                                .formatted(
                                                        String.join(", ", submitted),
                                                        String.join(", ", known)))
                                .verdict(
                                        "in the manifest's order the first ones that fit are"
                                                + " admitted together, and the last one runs after"
                                                + " them"));
            }
        }
        return found.stream();
    }

    private static List<String> names(Text text) {
        return JOB_SET.matcher(text.text()).results().map(m -> m.group(1)).distinct().toList();
    }

    private static long seconds(MatchResult match) {
        long seconds = 0;
        int[] units = {86_400, 3_600, 60, 1};
        for (int i = 0; i < units.length; i++) {
            var digits = match.group(i + 2);
            seconds +=
                    digits == null
                            ? 0
                            : Long.parseLong(digits.substring(0, Math.min(9, digits.length())))
                                    * units[i];
        }
        return seconds;
    }

    private static Stream<Finding> query(Rule rule, Subject subject) {
        return subject.texts().stream()
                .filter(text -> !names(text).isEmpty())
                .flatMap(
                        text ->
                                MATCHER.matcher(text.text())
                                        .results()
                                        .filter(
                                                m ->
                                                        names(text).stream()
                                                                .noneMatch(
                                                                        n ->
                                                                                matches(
                                                                                        m.group(2),
                                                                                        n)))
                                        .map(
                                                m ->
                                                        at(
                                                                        rule,
                                                                        text,
                                                                        m,
                                                                        "%s matches none of %s"
                                                                                .formatted(
                                                                                        m.group(2),
                                                                                        String.join(
                                                                                                ", ",
                                                                                                names(
                                                                                                        text))))
                                                                .verdict(
                                                                        "the query is valid and its"
                                                                                + " chart stays empty")
                                                                .fix(
                                                                        "write %s=~\"%s\""
                                                                                .formatted(
                                                                                        m.group(1),
                                                                                        common(
                                                                                                names(
                                                                                                        text))))));
    }

    private static boolean matches(String regex, String name) {
        try {
            return regex.length() > 100 || Pattern.matches(regex, name);
        } catch (PatternSyntaxException e) {
            return true;
        }
    }

    private static String common(List<String> names) {
        var prefix = names.getFirst();
        for (var name : names) {
            int same = 0;
            while (same < Math.min(prefix.length(), name.length())
                    && prefix.charAt(same) == name.charAt(same)) {
                same++;
            }
            prefix = same == 0 ? prefix : prefix.substring(0, same);
        }
        int dash = prefix.lastIndexOf('-');
        return (dash > 0 ? prefix.substring(0, dash + 1) : prefix) + ".*";
    }

    private static Stream<Finding> release(Rule rule, Subject subject) {
        return subject.texts().stream()
                .flatMap(
                        text ->
                                JOB_SET_RELEASE
                                        .matcher(text.text())
                                        .results()
                                        .flatMap(
                                                m -> {
                                                    var version =
                                                            m.group(1).startsWith("$")
                                                                    ? set(text, m.start())
                                                                    : m.group(1);
                                                    return old(version)
                                                            ? Stream.of(
                                                                    at(
                                                                            rule,
                                                                            text,
                                                                            m,
                                                                            "JobSet %s is installed"
                                                                                    .formatted(
                                                                                            version)))
                                                            : Stream.empty();
                                                }));
    }

    private static String set(Text text, int before) {
        return VERSION.matcher(text.text().substring(0, before))
                .results()
                .map(m -> m.group(1))
                .reduce("", (_, last) -> last);
    }

    private static boolean old(String version) {
        var parts = version.replace("v", "").split("\\.");
        return parts.length > 1
                && parts[0].equals("0")
                && parts[1].length() < 4
                && Integer.parseInt("0" + parts[1]) < 11;
    }

    private static Stream<Finding> highest(Rule rule, Subject subject) {
        return subject.texts().stream()
                .filter(text -> text.text().contains("very-high"))
                .flatMap(
                        text ->
                                CLASS_VALUE
                                        .matcher(text.text())
                                        .results()
                                        .filter(m -> Long.parseLong(m.group(2)) > VERY_HIGH)
                                        .map(
                                                m ->
                                                        at(
                                                                rule,
                                                                text,
                                                                m,
                                                                "%s is %s; the toolkit's very-high is %d"
                                                                        .formatted(
                                                                                m.group(1),
                                                                                m.group(2),
                                                                                VERY_HIGH))));
    }

    private static Stream<Finding> cloudDeploy(Rule rule, Subject subject) {
        return each(
                        CLOUD_DEPLOY,
                        (_, _) ->
                                "Cloud Deploy is another product; deployments in the cloud are"
                                        + " meant")
                .find(rule, pathwaysOnly(subject));
    }

    private static Subject pathwaysOnly(Subject subject) {
        var texts = subject.texts().stream().filter(t -> t.text().contains("Pathways")).toList();
        return new Subject(subject.sources(), texts, subject.kueue());
    }

    private static Stream<Finding> flexPool(Rule rule, Subject subject) {
        return subject.texts().stream()
                .flatMap(
                        text ->
                                FLEX_POOL
                                        .matcher(text.text())
                                        .results()
                                        .filter(
                                                m ->
                                                        m.group()
                                                                .contains(
                                                                        "--enable-queued-provisioning"))
                                        .filter(
                                                m ->
                                                        m.group().contains("--flex-start")
                                                                && m.group()
                                                                        .contains("--tpu-topology"))
                                        .map(
                                                m ->
                                                        at(
                                                                        rule,
                                                                        text,
                                                                        m,
                                                                        "--enable-queued-provisioning"
                                                                                + " and --flex-start"
                                                                                + " for TPUs")
                                                                .verdict(
                                                                        "unsure: in December 2025 a"
                                                                                + " change to xpk"
                                                                                + " quoted GKE refusing"
                                                                                + " it; documents after"
                                                                                + " that show it")));
    }
}
