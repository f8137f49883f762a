package org.meshbook.cluster.queue;

/// A workload that has to go so that another one fits.
///
/// @param victim what it holds
/// @param reason why it may be chosen
public record Target(Reservation victim, Reason reason) {
    /// Why a workload may be preempted.
    public enum Reason {
        IN_CLUSTER_QUEUE("InClusterQueue", "prioritization in the ClusterQueue"),
        IN_COHORT_RECLAMATION("InCohortReclamation", "reclamation within the cohort"),
        IN_COHORT_RECLAIM_WHILE_BORROWING(
                "InCohortReclaimWhileBorrowing", "reclamation within the cohort while borrowing"),
        IN_COHORT_FAIR_SHARING("InCohortFairSharing", "Fair Sharing within the cohort");

        private final String word;
        private final String text;

        Reason(String word, String text) {
            this.word = word;
            this.text = text;
        }

        /// @return the reason of the condition
        public String word() {
            return word;
        }

        /// @return how messages tell it
        public String text() {
            return text;
        }
    }
}
