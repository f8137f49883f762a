package org.meshbook.magics.queue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.kueue.Snapshot;
import org.meshbook.cluster.outlook.Estimate;
import org.meshbook.cluster.outlook.Holder;
import org.meshbook.cluster.outlook.QuotaUse;
import org.meshbook.cluster.outlook.Standing;
import org.meshbook.cluster.print.Age;
import org.meshbook.kernel.spi.DisplayData;
import org.meshbook.magics.render.Table;

/// What `%queue` shows: for each cluster queue its quota as a bar and who holds it, then all
/// workloads, then when those that wait may have their turn.
///
/// @param queues the cluster queues
/// @param workloads the workloads
/// @param estimates of those that wait, by `namespace/name`
/// @param now the time
record QueuePage(
        List<Part> queues, List<Standing> workloads, Map<String, Estimate> estimates, Instant now) {
    private static final int SHOWN = 5;
    private static final List<String> HEADS =
            List.of(
                    "NAME",
                    "JOB TYPE",
                    "JOB NAME",
                    "LOCALQUEUE",
                    "CLUSTERQUEUE",
                    "STATUS",
                    "POSITION IN QUEUE",
                    "EXEC TIME",
                    "AGE");

    /// One cluster queue.
    ///
    /// @param name its name
    /// @param cohort the cohort that it is in; often empty
    /// @param waiting how many wait in it
    /// @param quota what it has and uses
    /// @param holders who holds quota of it
    record Part(
            String name, String cohort, int waiting, List<QuotaUse> quota, List<Holder> holders) {
        String title() {
            return "cluster queue '%s'%s: %d waiting, %d holding quota"
                    .formatted(
                            name,
                            cohort.isEmpty() ? "" : " in cohort '%s'".formatted(cohort),
                            waiting,
                            holders.size());
        }
    }

    /// @param snapshot a queue
    /// @param name a local queue or a cluster queue; empty for all
    /// @param namespace whose workloads; empty for all
    /// @param all whether finished workloads are shown
    static QueuePage of(
            Snapshot snapshot, Optional<String> name, Optional<String> namespace, boolean all) {
        var workloads =
                Standing.all(snapshot).stream()
                        .filter(s -> all || !s.status().equals("FINISHED"))
                        .filter(
                                s ->
                                        name.isEmpty()
                                                || s.localQueue().equals(name.get())
                                                || s.clusterQueue().equals(name.get()))
                        .filter(
                                s ->
                                        namespace.isEmpty()
                                                || s.workload().namespace().equals(namespace.get()))
                        .toList();
        var behind = workloads.stream().map(Standing::clusterQueue).collect(Collectors.toSet());
        var quota = QuotaUse.all(snapshot);
        var queues = new ArrayList<Part>();
        for (var queue : snapshot.clusterQueues()) {
            boolean meant =
                    name.isEmpty()
                            || queue.name().equals(name.get())
                            || behind.contains(queue.name());
            if (meant) {
                queues.add(part(snapshot, queue, quota));
            }
        }
        return new QueuePage(queues, workloads, Estimate.all(snapshot), snapshot.now());
    }

    private static Part part(Snapshot snapshot, Resource queue, List<QuotaUse> quota) {
        var counts = snapshot.state().counts(queue.name());
        var cohort = queue.text("spec", "cohortName");
        return new Part(
                queue.name(),
                cohort.isEmpty() ? queue.text("spec", "cohort") : cohort,
                counts.waiting(),
                quota.stream().filter(q -> q.queue().equals(queue.name())).toList(),
                Holder.of(snapshot, queue.name()));
    }

    DisplayData display() {
        return DisplayData.text(text()).and("text/html", html());
    }

    // ---- text

    String text() {
        var text = new StringBuilder();
        for (var part : queues) {
            text.append(part.title()).append('\n');
            int widest = part.quota.stream().mapToInt(q -> label(q).length()).max().orElse(0);
            for (var quota : part.quota) {
                text.append(
                        "  %s  %s  %s\n"
                                .formatted(
                                        pad(label(quota), widest),
                                        QuotaBar.text(quota),
                                        words(quota)));
            }
            if (!part.holders.isEmpty()) {
                text.append("  held by ").append(holders(part)).append('\n');
            }
        }
        if (workloads.isEmpty()) {
            return text.append("no workloads").toString();
        }
        text.append('\n');
        text.append(new org.meshbook.cluster.print.Table(heads(), rows()).text());
        for (var line : turns()) {
            text.append(line).append('\n');
        }
        return text.toString().stripTrailing();
    }

    private static String pad(String text, int width) {
        return text + " ".repeat(width - text.length());
    }

    private static String label(QuotaUse quota) {
        return quota.flavor() + " " + quota.resource();
    }

    private static String words(QuotaUse quota) {
        return "%s of %s used, %s free%s"
                .formatted(
                        quota.text(quota.used()),
                        quota.text(quota.nominal()),
                        quota.text(quota.free()),
                        quota.borrowed() > 0
                                ? ", %s borrowed".formatted(quota.text(quota.borrowed()))
                                : "");
    }

    private String holders(Part part) {
        return part.holders.stream()
                        .limit(SHOWN)
                        .map(holder -> holder.text(now))
                        .collect(Collectors.joining(", "))
                + (part.holders.size() > SHOWN
                        ? ", and %d more".formatted(part.holders.size() - SHOWN)
                        : "");
    }

    private boolean manySpaces() {
        return workloads.stream().map(s -> s.workload().namespace()).distinct().count() > 1;
    }

    private List<String> heads() {
        if (!manySpaces()) {
            return HEADS;
        }
        var heads = new ArrayList<>(HEADS);
        heads.addFirst("NAMESPACE");
        return heads;
    }

    private List<List<String>> rows() {
        return workloads.stream().map(this::row).toList();
    }

    private List<String> row(Standing standing) {
        var cells = new ArrayList<String>();
        if (manySpaces()) {
            cells.add(standing.workload().namespace());
        }
        cells.addAll(
                List.of(
                        standing.workload().name(),
                        standing.kind(),
                        standing.job(),
                        standing.localQueue(),
                        standing.clusterQueue(),
                        standing.status(),
                        standing.position().isPresent()
                                ? Integer.toString(standing.position().getAsInt())
                                : "",
                        standing.ran().map(Age::of).orElse(""),
                        Age.of(standing.created(), now)));
        return cells;
    }

    /// Those that wait, in the order of their turns; nothing where nothing can be told.
    private List<String> turns() {
        return workloads.stream()
                .filter(s -> s.ahead().isPresent())
                .sorted((a, b) -> Integer.compare(a.ahead().getAsInt(), b.ahead().getAsInt()))
                .limit(SHOWN)
                .flatMap(s -> turn(s).stream())
                .toList();
    }

    private Optional<String> turn(Standing standing) {
        return Optional.ofNullable(estimates.get(standing.workload().key().path()))
                .filter(estimate -> estimate.time().isPresent())
                .map(estimate -> "%s: %s".formatted(standing.job(), estimate.text()));
    }

    // ---- HTML

    String html() {
        var html = new StringBuilder();
        for (var part : queues) {
            html.append("<div style=\"margin:.4em 0 .2em\">").append(escape(part.title()));
            for (var quota : part.quota) {
                html.append("<div>").append(escape(label(quota))).append(' ');
                html.append(QuotaBar.html(quota)).append(' ').append(escape(words(quota)));
                html.append("</div>");
            }
            if (!part.holders.isEmpty()) {
                html.append("<div>held by ").append(escape(holders(part))).append("</div>");
            }
            html.append("</div>");
        }
        if (workloads.isEmpty()) {
            return html.append("<div>no workloads</div>").toString();
        }
        html.append(new Table(heads(), rows()).html());
        turns().forEach(line -> html.append("<div>").append(escape(line)).append("</div>"));
        return html.toString();
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
