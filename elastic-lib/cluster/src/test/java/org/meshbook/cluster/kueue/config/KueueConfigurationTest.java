package org.meshbook.cluster.kueue.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.meshbook.cluster.Profile;
import org.meshbook.cluster.queue.Gate;
import org.meshbook.cluster.queue.PodsReady;
import org.meshbook.cluster.queue.Rules;
import org.meshbook.cluster.queue.Rules.FairStrategy;

/// Kueue's own configuration file, and gates on their own.
final class KueueConfigurationTest {
    private static final Rules SHIPPED = Rules.of(Profile.V0_17);

    private static KueueConfiguration read(String fields) {
        return KueueConfiguration.read(
                "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n" + fields,
                SHIPPED);
    }

    @Test
    void emptyConfigurationChangesNothing() {
        assertThat(read("")).isEqualTo(new KueueConfiguration(SHIPPED, List.of()));
    }

    @Test
    void waitForPodsReadyIsReadWithItsPauses() {
        var rules =
                read("""
                                waitForPodsReady:
                                  timeout: 1h30m
                                  recoveryTimeout: 3m
                                  requeuingStrategy:
                                    timestamp: Creation
                                    backoffLimitCount: 4
                                    backoffBaseSeconds: 10
                                    backoffMaxSeconds: 25
                                """)
                        .rules();
        var rule = rules.podsReady().orElseThrow();
        assertThat(rule)
                .isEqualTo(
                        new PodsReady(
                                Duration.ofMinutes(90),
                                Duration.ofMinutes(3),
                                false,
                                OptionalInt.of(4),
                                Duration.ofSeconds(10),
                                Duration.ofSeconds(25)));
        assertThat(rule.pause(1)).isEqualTo(Duration.ofSeconds(10));
        assertThat(rule.pause(2)).isEqualTo(Duration.ofSeconds(20));
        assertThat(rule.pause(3)).isEqualTo(Duration.ofSeconds(25));
    }

    @Test
    void waitForPodsReadyOfTheOldVersionMayBeOff() {
        assertThat(read("waitForPodsReady: {enable: false}").rules().podsReady()).isEmpty();
        assertThat(read("waitForPodsReady: {enable: true}").rules().podsReady())
                .contains(PodsReady.USUAL);
    }

    @Test
    void integrationsThatAreUnknownHereAreTold() {
        var read = read("integrations: {frameworks: [batch/job, deployment, ray.io/rayjob]}");
        assertThat(read.rules().manages("batch/job")).isTrue();
        assertThat(read.rules().manages("jobset.x-k8s.io/jobset")).isFalse();
        assertThat(read.ignored()).containsExactly("integration deployment");
    }

    @Test
    void gatesAndFairSharingAreReadAndTheRestIsTold() {
        var read =
                read(
                        """
                        manageJobsWithoutQueueName: true
                        clientConnection: {qps: 50, burst: 100}
                        fairSharing: {preemptionStrategies: [LessThanInitialShare]}
                        featureGates: {ElasticJobsViaWorkloadSlices: true, TopologyAwareScheduling: false}
                        """);
        assertThat(read.rules().elasticSlices()).isTrue();
        assertThat(read.rules().managesAll()).isTrue();
        assertThat(read.rules().fairStrategies())
                .containsExactly(FairStrategy.LESS_THAN_INITIAL_SHARE);
        assertThat(read.ignored())
                .containsExactly("clientConnection", "gate TopologyAwareScheduling");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}",
                "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\nwaitForPodsReady:"
                        + " {timeout: soon}",
                "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\nfairSharing:"
                        + " {preemptionStrategies: [Random]}",
                "a: [1"
            })
    void whatIsNoConfigurationIsRefusedInOneLine(String text) {
        assertThatThrownBy(() -> KueueConfiguration.read(text, SHIPPED))
                .isInstanceOf(IllegalArgumentException.class)
                .message()
                .isNotBlank()
                .doesNotContain("\n");
    }

    @Test
    void gatesAreSwitchedByTheirNames() {
        var rules =
                KueueConfiguration.gates(
                        "ElasticJobsViaWorkloadSlices=true, SchedulerLongRequeueInterval=true",
                        SHIPPED);
        assertThat(rules.elasticSlices()).isTrue();
        assertThat(rules.flushDelay()).isEqualTo(Duration.ofSeconds(10));
        var newest = Rules.of(Profile.V0_19);
        assertThat(newest.gates()).contains(Gate.ELASTIC_JOBS_VIA_WORKLOAD_SLICES);
        assertThat(KueueConfiguration.gates("DisableWaitForPodsReady=true", newest).podsReady())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ElasticJobs=true", "ElasticJobsViaWorkloadSlices", "=true", ""})
    void gatesThatAreUnknownAreRefused(String gates) {
        assertThatThrownBy(() -> KueueConfiguration.gates(gates, SHIPPED))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("gate \"");
    }
}
