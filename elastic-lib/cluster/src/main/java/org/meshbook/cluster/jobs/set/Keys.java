package org.meshbook.cluster.jobs.set;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// Labels and annotations of JobSet.
final class Keys {
    private static final String PREFIX = "jobset.sigs.k8s.io/";

    static final String JOB_SET = PREFIX + "jobset-name";
    static final String JOB_SET_UID = PREFIX + "jobset-uid";
    static final String REPLICATED_JOB = PREFIX + "replicatedjob-name";
    static final String REPLICAS = PREFIX + "replicatedjob-replicas";
    static final String GLOBAL_REPLICAS = PREFIX + "global-replicas";
    static final String JOB_INDEX = PREFIX + "job-index";
    static final String GLOBAL_INDEX = PREFIX + "job-global-index";
    static final String JOB_KEY = PREFIX + "job-key";
    static final String ATTEMPT = PREFIX + "restart-attempt";
    static final String COORDINATOR = PREFIX + "coordinator";
    static final String PRIORITY = PREFIX + "priority";
    static final String EXCLUSIVE = "alpha.jobset.sigs.k8s.io/exclusive-topology";
    static final String INDEX = "batch.kubernetes.io/job-completion-index";

    private Keys() {}

    /// @return a job's key: the same in every attempt
    static String jobKey(String namespace, String job) {
        try {
            var sha = MessageDigest.getInstance("SHA-1");
            return HexFormat.of()
                    .formatHex(
                            sha.digest((namespace + "/" + job).getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-1", e);
        }
    }
}
