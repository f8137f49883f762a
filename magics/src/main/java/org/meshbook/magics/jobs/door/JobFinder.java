package org.meshbook.magics.jobs.door;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.kernel.spi.MagicException;
import org.meshbook.kernel.spi.Nearest;

/// Finds jobs by what a person types: `NAME`, or `KIND/NAME` where several kinds have the name.
///
/// @param command who asks, for errors
/// @param cluster where
/// @param space namespace
public record JobFinder(String command, Cluster cluster, String space) {
    /// What counts as a job. A RayJob comes before its submitter, which has its name.
    public static final List<ResourceKind> KINDS =
            List.of(Kinds.JOB_SET, Kinds.RAY_JOB, Kinds.JOB, Kinds.RAY_CLUSTER);

    /// @param typed `NAME` or `KIND/NAME`
    /// @return the job
    /// @throws MagicException if there is none; names the nearest
    public Resource job(String typed) {
        return any(typed, KINDS);
    }

    /// @param typed `NAME` or `KIND/NAME`
    /// @param kinds kinds that are looked through for a bare name, in order
    /// @return the object
    /// @throws MagicException if there is none; names the nearest
    public Resource any(String typed, List<ResourceKind> kinds) {
        int slash = typed.indexOf('/');
        var among = slash < 0 ? kinds : List.of(kind(typed.substring(0, slash), kinds));
        var name = typed.substring(slash + 1);
        return among.stream()
                .flatMap(kind -> find(kind, name).stream())
                .findFirst()
                .orElseThrow(() -> missing(among, name));
    }

    private ResourceKind kind(String word, List<ResourceKind> kinds) {
        return Kinds.named(word)
                .filter(kinds::contains)
                .orElseThrow(
                        () ->
                                new MagicException(
                                        "%s takes no '%s'; it takes %s"
                                                .formatted(command, word, words(kinds))));
    }

    /// A cluster without JobSet or Ray has no such objects.
    private Optional<Resource> find(ResourceKind kind, String name) {
        try {
            return cluster.find(kind.key(kind.namespaced() ? space : "", name));
        } catch (ApiException refused) {
            if (refused.missing()) {
                return Optional.empty();
            }
            throw refused;
        }
    }

    /// @param kind kind
    /// @return its objects in the namespace; none if the cluster does not know the kind
    public List<Resource> list(ResourceKind kind) {
        try {
            return cluster.list(kind, kind.namespaced() ? space : "");
        } catch (ApiException refused) {
            if (refused.missing()) {
                return List.of();
            }
            throw refused;
        }
    }

    private MagicException missing(List<ResourceKind> kinds, String name) {
        var known = kinds.stream().flatMap(kind -> list(kind).stream()).map(Resource::name);
        return new MagicException(
                "%s: no %s in namespace '%s' is called '%s'%s; %%jobs lists what there is"
                        .formatted(
                                command,
                                words(kinds),
                                space,
                                name,
                                Nearest.hint(name, known.distinct().toList())));
    }

    private static String words(List<ResourceKind> kinds) {
        var words =
                new ArrayList<>(
                        kinds.stream().map(k -> k.kind().toLowerCase(Locale.ROOT)).toList());
        var last = words.removeLast();
        return words.isEmpty() ? last : String.join(", ", words) + " or " + last;
    }

    /// @param job a job
    /// @return its pods by name, also those of the Jobs and clusters that it owns
    public List<Resource> pods(Resource job) {
        return list(Kinds.POD).stream().filter(podOf(job)).toList();
    }

    /// @param job a job or a pod
    /// @return tells its pods from others, by the labels that controllers write
    public static Predicate<Resource> podOf(Resource job) {
        var name = job.name();
        return switch (job.kind().kind()) {
            case "Pod" -> pod -> pod.name().equals(name);
            case "JobSet" -> labelled("jobset.sigs.k8s.io/jobset-name", name);
            case "RayCluster" -> labelled("ray.io/cluster", name);
            // Of a RayJob: the submitter, whose output is that of the entrypoint.
            default ->
                    labelled("batch.kubernetes.io/job-name", name).or(labelled("job-name", name));
        };
    }

    private static Predicate<Resource> labelled(String label, String value) {
        return pod -> pod.labels().getOrDefault(label, "").equals(value);
    }

    /// @param owner an object
    /// @return what goes with it when it is deleted, the owner's own objects first
    public List<Resource> owned(Resource owner) {
        var all = new ArrayList<Resource>();
        var kinds =
                List.of(
                        Kinds.RAY_CLUSTER,
                        Kinds.JOB,
                        Kinds.WORKLOAD,
                        Kinds.SERVICE,
                        Kinds.CONFIG_MAP,
                        Kinds.POD);
        var candidates = kinds.stream().flatMap(kind -> list(kind).stream()).toList();
        var owners = new ArrayList<>(List.of(owner.uid()));
        for (int i = 0; i < owners.size(); i++) {
            var uid = owners.get(i);
            candidates.stream()
                    .filter(each -> each.owners().contains(uid))
                    .filter(each -> all.stream().noneMatch(a -> a.uid().equals(each.uid())))
                    .forEach(
                            each -> {
                                all.add(each);
                                owners.add(each.uid());
                            });
        }
        return all;
    }

    /// @param job a job
    /// @return its Workload, if Kueue has made one
    public Optional<Resource> workload(Resource job) {
        return list(Kinds.WORKLOAD).stream()
                .filter(each -> each.owners().contains(job.uid()))
                .findFirst();
    }

    /// @return names that a person may type, `KIND/` not among them
    public List<String> names() {
        return KINDS.stream()
                .flatMap(kind -> list(kind).stream())
                .map(Resource::name)
                .distinct()
                .toList();
    }

    /// @param door the way to a cluster
    /// @param start what is typed of a word
    /// @param more kinds besides jobs
    /// @return names in the default namespace; none while no cluster was reached
    public static List<String> complete(ClusterDoor door, String start, ResourceKind... more) {
        try {
            return door.opened().stream()
                    .map(open -> new JobFinder("", open.cluster(), "default"))
                    .flatMap(
                            finder ->
                                    Stream.concat(
                                            finder.names().stream(),
                                            Stream.of(more)
                                                    .flatMap(kind -> finder.list(kind).stream())
                                                    .map(Resource::name)))
                    .filter(name -> name.startsWith(start))
                    .distinct()
                    .sorted()
                    .toList();
        } catch (RuntimeException unreachable) {
            return List.of();
        }
    }
}
