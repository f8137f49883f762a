package org.meshbook.cluster;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/// The kinds that a Meshbook cluster knows, each in the version in which it is kept.
public final class Kinds {
    private static final String QUEUES = "kueue.x-k8s.io";

    public static final ResourceKind NAMESPACE = cluster("", "v1", "Namespace", "namespaces", "ns");
    public static final ResourceKind NODE = cluster("", "v1", "Node", "nodes", "no");
    public static final ResourceKind POD = spaced("", "v1", "Pod", "pods", "po");
    public static final ResourceKind SERVICE = spaced("", "v1", "Service", "services", "svc");
    public static final ResourceKind CONFIG_MAP = spaced("", "v1", "ConfigMap", "configmaps", "cm");
    public static final ResourceKind EVENT = spaced("", "v1", "Event", "events", "ev");
    public static final ResourceKind POD_TEMPLATE = spaced("", "v1", "PodTemplate", "podtemplates");
    public static final ResourceKind JOB = spaced("batch", "v1", "Job", "jobs");
    public static final ResourceKind PRIORITY_CLASS =
            cluster("scheduling.k8s.io", "v1", "PriorityClass", "priorityclasses", "pc");
    public static final ResourceKind JOB_SET =
            spaced("jobset.x-k8s.io", "v1alpha2", "JobSet", "jobsets");
    public static final ResourceKind RAY_JOB = spaced("ray.io", "v1", "RayJob", "rayjobs");
    public static final ResourceKind RAY_CLUSTER =
            spaced("ray.io", "v1", "RayCluster", "rayclusters");
    public static final ResourceKind PROVISIONING_REQUEST =
            spaced(
                    "autoscaling.x-k8s.io",
                    "v1",
                    "ProvisioningRequest",
                    "provisioningrequests",
                    "provreq",
                    "provreqs");
    public static final ResourceKind CLUSTER_QUEUE =
            cluster(QUEUES, "v1beta2", "ClusterQueue", "clusterqueues", "cq");
    public static final ResourceKind LOCAL_QUEUE =
            spaced(QUEUES, "v1beta2", "LocalQueue", "localqueues", "queue", "queues", "lq");
    public static final ResourceKind RESOURCE_FLAVOR =
            cluster(QUEUES, "v1beta2", "ResourceFlavor", "resourceflavors", "flavor", "rf");
    public static final ResourceKind COHORT = cluster(QUEUES, "v1beta2", "Cohort", "cohorts");
    public static final ResourceKind WORKLOAD =
            spaced(QUEUES, "v1beta2", "Workload", "workloads", "kueueworkload", "kwl", "wl");
    public static final ResourceKind WORKLOAD_PRIORITY_CLASS =
            cluster(QUEUES, "v1beta2", "WorkloadPriorityClass", "workloadpriorityclasses");
    public static final ResourceKind ADMISSION_CHECK =
            cluster(QUEUES, "v1beta2", "AdmissionCheck", "admissionchecks");
    public static final ResourceKind PROVISIONING_REQUEST_CONFIG =
            cluster(QUEUES, "v1beta2", "ProvisioningRequestConfig", "provisioningrequestconfigs");
    public static final ResourceKind TOPOLOGY =
            cluster(QUEUES, "v1beta2", "Topology", "topologies");

    private static final List<ResourceKind> ALL =
            List.of(
                    NAMESPACE,
                    NODE,
                    POD,
                    SERVICE,
                    CONFIG_MAP,
                    EVENT,
                    POD_TEMPLATE,
                    JOB,
                    PRIORITY_CLASS,
                    JOB_SET,
                    RAY_JOB,
                    RAY_CLUSTER,
                    PROVISIONING_REQUEST,
                    CLUSTER_QUEUE,
                    LOCAL_QUEUE,
                    RESOURCE_FLAVOR,
                    COHORT,
                    WORKLOAD,
                    WORKLOAD_PRIORITY_CLASS,
                    ADMISSION_CHECK,
                    PROVISIONING_REQUEST_CONFIG,
                    TOPOLOGY);

    private static final Map<String, ResourceKind> BY_GROUP_AND_KIND =
            ALL.stream()
                    .collect(
                            Collectors.toMap(k -> k.group() + "/" + k.kind(), Function.identity()));

    private Kinds() {}

    /// @return all of them
    public static List<ResourceKind> all() {
        return ALL;
    }

    /// @param apiVersion `group/version`, or `version` for the core group
    /// @param kind a kind's name
    /// @return the kind in the version asked for; empty if no such group and kind is known
    public static Optional<ResourceKind> find(String apiVersion, String kind) {
        int slash = apiVersion.indexOf('/');
        var group = slash < 0 ? "" : apiVersion.substring(0, slash);
        return Optional.ofNullable(BY_GROUP_AND_KIND.get(group + "/" + kind))
                .map(found -> found.in(apiVersion.substring(slash + 1)));
    }

    /// @param apiVersion `group/version`, or `version` for the core group
    /// @param plural a kind's name in paths
    /// @return the kind in the version asked for; empty if no such resource is known
    public static Optional<ResourceKind> served(String apiVersion, String plural) {
        return ALL.stream()
                .filter(kind -> kind.plural().equals(plural))
                .flatMap(kind -> find(apiVersion, kind.kind()).stream())
                .findFirst();
    }

    /// @param kind a kind in any version
    /// @return it, in the version in which it is kept
    public static ResourceKind kept(ResourceKind kind) {
        return BY_GROUP_AND_KIND.getOrDefault(kind.group() + "/" + kind.kind(), kind);
    }

    /// @param word what a person typed: kind, plural, short name, with or without the group
    /// @return the kind that is meant
    public static Optional<ResourceKind> named(String word) {
        var typed = word.toLowerCase(Locale.ROOT);
        return ALL.stream()
                .filter(
                        k ->
                                typed.equals(k.plural())
                                        || typed.equals(k.resource())
                                        || typed.equals(k.kind().toLowerCase(Locale.ROOT))
                                        || k.shortNames().contains(typed))
                .findFirst();
    }

    private static ResourceKind spaced(
            String group, String version, String kind, String plural, String... shortNames) {
        return new ResourceKind(group, version, kind, plural, Arrays.asList(shortNames), true);
    }

    private static ResourceKind cluster(
            String group, String version, String kind, String plural, String... shortNames) {
        return new ResourceKind(group, version, kind, plural, Arrays.asList(shortNames), false);
    }
}
