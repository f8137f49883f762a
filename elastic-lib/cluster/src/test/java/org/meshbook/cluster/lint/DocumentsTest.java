package org.meshbook.cluster.lint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.meshbook.cluster.Profile;
import org.meshbook.cluster.lint.rule.Finding;
import org.meshbook.cluster.lint.rule.Text;

class DocumentsTest {
    private static final String WRONG =
            """
            # Trains on Pathways

            Classes: low, high, very-high. Works for Cloud Deploy deployments.
            Pass --priority=urgent to gcluster job submit, which gives pathways-head and worker a priorityClassName.

                apiVersion: scheduling.k8s.io/v1
                kind: PriorityClass
                metadata:
                  name: urgent
                value: 5000

            ```yaml
            apiVersion: jobset.x-k8s.io/v1alpha2
            kind: JobSet
            metadata:
              name: wagon-one
            ---
            apiVersion: jobset.x-k8s.io/v1alpha2
            kind: JobSet
            metadata:
              name: wagon-two
            ```

            VERSION=v0.7.0
            kubectl apply --server-side -f https://github.com/kubernetes-sigs/jobset/releases/download/$VERSION/manifests.yaml
            gcloud container node-pools create flex \\
              --tpu-topology=4x4 --enable-queued-provisioning \\
              --flex-start
            The proxy takes --num_elastic_instances=2.

            NAME                      QUEUE   ADMITTED BY   AGE
            jobset-wagon-one-12ab3    line                  3s
            jobset-wagon-two-98fe1    line    main          1m2s

            kubectl port-forward svc/tune-head-svc 8265

            kube_jobset_restarts{jobset_name=~"wagno-.*"}
            """;

    private static final String RIGHT =
            WRONG.replace("Cloud Deploy", "cloud")
                    .replace("to gcluster job submit", "as you like")
                    .replace("5000", "900")
                    .replace("v0.7.0", "v0.12.0")
                    .replace(" --enable-queued-provisioning", "")
                    .replace("_instances", "_slices")
                    .replace("ADMITTED BY", "RESERVED IN")
                    .replace("1m2s", "2s")
                    .replace("tune-head-svc", "tune-x7k2p-head")
                    .replace("wagno", "wagon");

    private static List<Finding> lint(String text) {
        return Linter.lintDocuments(List.of(new Text("guide.txt", text)), Profile.V0_17);
    }

    private static List<String> ids(String text) {
        return lint(text).stream().map(f -> f.rule().id()).distinct().sorted().toList();
    }

    @Test
    void proseCommandsAndOutputAreRead() {
        assertThat(ids(WRONG))
                .containsExactly(
                        "JS003", "KQ010", "KQ011", "PQ001", "PR004", "PW001", "PW002", "PW003",
                        "PW004", "RJ004");
        assertThat(ids(RIGHT)).isEmpty();
    }

    @Test
    void findingsStandInTheDocument() {
        var lines = WRONG.lines().toList();
        assertThat(lint(WRONG))
                .filteredOn(f -> f.rule().id().equals("PQ001"))
                .singleElement()
                .satisfies(
                        f -> {
                            assertThat(lines.get(f.place().line() - 1)).contains("wagno");
                            assertThat(f.fix()).isEqualTo("write jobset_name=~\"wagon-.*\"");
                        });
    }

    @Test
    void manifestsInProseKeepTheirPlaces() {
        var text =
                """
                Do this:

                  apiVersion: kueue.x-k8s.io/v1beta1
                  kind: LocalQueue
                  metadata:
                    name: line
                  spec:
                    clusterQueue: main
                  ---
                  apiVersion: kueue.x-k8s.io/v1beta1
                  kind: LocalQueue
                  metadata:
                    name: other

                  • and then: run it.
                """;
        assertThat(lint(text))
                .extracting(f -> f.rule().id() + " " + f.place())
                .containsExactly("KQ013 3:3", "YM004 9:3", "KQ013 10:3");
    }

    @Test
    void aManifestOnOneLineIsFoundBehindProse() {
        var text = "Create it: apiVersion: v1 kind: Namespace metadata: name: a\nand go on\n";
        assertThat(lint(text))
                .extracting(f -> f.rule().id() + " " + f.place())
                .containsExactly("YM005 1:12");
    }
}
