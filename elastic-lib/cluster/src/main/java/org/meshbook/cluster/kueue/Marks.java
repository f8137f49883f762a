package org.meshbook.cluster.kueue;

/// Names of labels, annotations, conditions and reasons of Kueue.
final class Marks {
    static final String QUEUE_NAME = "kueue.x-k8s.io/queue-name";
    static final String PRIORITY_CLASS = "kueue.x-k8s.io/priority-class";
    static final String MAX_EXEC_TIME = "kueue.x-k8s.io/max-exec-time-seconds";
    static final String JOB_UID = "kueue.x-k8s.io/job-uid";
    static final String MANAGED = "kueue.x-k8s.io/managed";
    static final String POD_SET = "kueue.x-k8s.io/podset";
    static final String LOCAL_QUEUE_LABEL = "kueue.x-k8s.io/local-queue-name";
    static final String CLUSTER_QUEUE_LABEL = "kueue.x-k8s.io/cluster-queue-name";
    static final String ELASTIC = "kueue.x-k8s.io/elastic-job";
    static final String REPLACES = "kueue.x-k8s.io/workload-slice-replacement-for";
    static final String SLICE_NAME = "kueue.x-k8s.io/workload-slice-name";
    static final String WORKLOAD = "kueue.x-k8s.io/workload";
    static final String RAY_GENERATION = "kueue.x-k8s.io/raycluster-generation";
    static final String RAY_SIZES = "kueue.x-k8s.io/raycluster-podset-replica-sizes";
    static final String MIN_PARALLELISM = "kueue.x-k8s.io/job-min-parallelism";
    static final String IN_USE = "kueue.x-k8s.io/resource-in-use";
    static final String PROVISIONING = "provreq.kueue.x-k8s.io/";
    static final String PROVISIONING_CONTROLLER = "kueue.x-k8s.io/provisioning-request";

    static final String QUOTA_RESERVED = "QuotaReserved";
    static final String ADMITTED = "Admitted";
    static final String EVICTED = "Evicted";
    static final String PREEMPTED = "Preempted";
    static final String REQUEUED = "Requeued";
    static final String FINISHED = "Finished";
    static final String PODS_READY = "PodsReady";
    static final String DEACTIVATION_TARGET = "DeactivationTarget";
    static final String ADMISSION_CHECK = "AdmissionCheck";
    static final String ACTIVE = "Active";

    private Marks() {}
}
