package org.meshbook.cluster.kueue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.meshbook.cluster.AdmissionHook;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Quantity;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKind;
import tools.jackson.databind.JsonNode;

/// What Kueue refuses in ClusterQueues and Cohorts beyond what their schemas say.
record QueueHook(ResourceKind kind) implements AdmissionHook {
    @Override
    public String name() {
        return kind.kind().toLowerCase(Locale.ROOT) + ".kb.io";
    }

    @Override
    public Set<ResourceKind> kinds() {
        return Set.of(kind);
    }

    @Override
    public List<String> validate(Review review) {
        var queue = review.object();
        var wrong = new ArrayList<String>();
        var resources = new HashSet<String>();
        var flavors = new HashSet<String>();
        var groups = queue.list("spec", "resourceGroups");
        for (int g = 0; g < groups.size(); g++) {
            var path = "spec.resourceGroups[%d]".formatted(g);
            var covered = Specs.texts(groups.get(g).path("coveredResources"));
            for (int r = 0; r < covered.size(); r++) {
                duplicate(
                        resources,
                        covered.get(r),
                        "%s.coveredResources[%d]".formatted(path, r),
                        wrong);
            }
            var list = List.copyOf(groups.get(g).path("flavors").values());
            for (int f = 0; f < list.size(); f++) {
                var at = "%s.flavors[%d]".formatted(path, f);
                duplicate(flavors, Specs.text(list.get(f), "name"), at + ".name", wrong);
                flavor(queue, list.get(f), covered, at, wrong);
            }
        }
        return wrong;
    }

    private static void duplicate(Set<String> seen, String name, String path, List<String> wrong) {
        if (!seen.add(name)) {
            wrong.add("%s: Duplicate value: \"%s\"".formatted(path, name));
        }
    }

    private void flavor(
            Resource queue,
            JsonNode flavor,
            List<String> covered,
            String path,
            List<String> wrong) {
        var quotas = List.copyOf(flavor.path("resources").values());
        for (int q = 0; q < quotas.size(); q++) {
            var at = "%s.resources[%d]".formatted(path, q);
            var quota = quotas.get(q);
            var name = Specs.text(quota, "name");
            if (q >= covered.size() || !name.equals(covered.get(q))) {
                wrong.add(
                        "%s.name: Invalid value: \"%s\": must match the name in coveredResources"
                                .formatted(at, name));
            }
            // the schema of ClusterQueues says so itself
            boolean alone = kind.equals(Kinds.COHORT) && Specs.cohort(queue).parent().isEmpty();
            negative(quota, "nominalQuota", at, wrong);
            for (var limit : List.of("borrowingLimit", "lendingLimit")) {
                negative(quota, limit, at, wrong);
                if (alone && !quota.path(limit).isMissingNode() && !quota.path(limit).isNull()) {
                    wrong.add(
                            "%s.%s: Invalid value: \"%s\": must be nil when parent is empty"
                                    .formatted(at, limit, quota.path(limit).asString("")));
                }
            }
            lending(quota, at, wrong);
        }
    }

    private static void negative(JsonNode quota, String field, String path, List<String> wrong) {
        var text = Specs.text(quota, field);
        if (text.startsWith("-")) {
            wrong.add(
                    "%s.%s: Invalid value: \"%s\": must be greater than or equal to 0"
                            .formatted(path, field, Quantity.parse(text)));
        }
    }

    private static void lending(JsonNode quota, String path, List<String> wrong) {
        var limit = Specs.text(quota, "lendingLimit");
        var nominal = Specs.text(quota, "nominalQuota");
        if (!limit.isEmpty()
                && !nominal.isEmpty()
                && Quantity.parse(limit).compareTo(Quantity.parse(nominal)) > 0) {
            wrong.add(
                    "%s.lendingLimit: Invalid value: \"%s\": must be less than or equal to the nominalQuota"
                            .formatted(path, Quantity.parse(limit)));
        }
    }
}
