package org.meshbook.cluster.lint.manifests;

import java.util.Map;
import java.util.TreeMap;
import org.meshbook.cluster.Quantity;
import org.meshbook.cluster.manifest.Value;

/// Equal pods of a job.
///
/// @param name its name in the workload
/// @param count how many pods
/// @param template the pod template
record PodSet(String name, long count, Value template) {
    Value spec() {
        return template.at("spec");
    }

    /// @return what one pod asks for
    Map<String, Quantity> requests() {
        var sum = new TreeMap<String, Quantity>();
        for (var container : spec().at("containers").items()) {
            requests(container).forEach((name, q) -> sum.merge(name, q, Quantity::plus));
        }
        for (var container : spec().at("initContainers").items()) {
            boolean stays = container.at("restartPolicy").text().equals("Always");
            requests(container)
                    .forEach(
                            (name, q) ->
                                    sum.merge(
                                            name,
                                            q,
                                            (a, b) ->
                                                    stays
                                                            ? a.plus(b)
                                                            : a.compareTo(b) < 0 ? b : a));
        }
        return sum;
    }

    /// Limits stand for requests that are missing.
    private static Map<String, Quantity> requests(Value container) {
        var all = new TreeMap<String, Quantity>();
        for (var kind : new String[] {"limits", "requests"}) {
            container
                    .at("resources", kind)
                    .fields()
                    .forEach((name, value) -> all.put(name, Amount.of(value)));
        }
        return all;
    }

    /// @param resource a resource
    /// @return how much all its pods ask for
    Quantity total(String resource) {
        var each = requests().getOrDefault(resource, Quantity.ZERO);
        return each.times((int) Math.min(count, Integer.MAX_VALUE));
    }
}
