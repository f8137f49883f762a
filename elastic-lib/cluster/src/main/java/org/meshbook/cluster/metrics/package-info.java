/// Figures of a cluster, as Prometheus reads them: how long JobSets are up, how they recover, how
/// the queue moves.
///
/// Main path: WatchEvent → ClusterMetrics → (JobSetFigures → Readiness → Uptime | QueueFigures) →
/// Exposition → text
///
/// Definitions. A JobSet is **up** while each of its jobs has all pods that should be ready, or has
/// finished them. An **interruption** is the change from up to not up before the JobSet has ended,
/// whatever the cause, a preemption included. **Time to recover** (TTR) is the time from an
/// interruption until the JobSet is up again, **time between interruptions** (TBI) the time from
/// then to the next interruption; both are known when they are over. **Uptime** is the sum of the
/// times that it was up.
///
/// Names are those of Kueue, of JobSet, and of GKE's packages of JobSet metrics; what only Meshbook
/// tells begins with `meshbook_`. Histograms count up from the start of the watch, as Prometheus
/// expects; Cloud Monitoring shows the same as changes.
///
/// Figures live in memory. Who begins to watch takes over what objects tell: since when a JobSet is
/// up, restarts, ends, admissions, evictions with their reasons.
///
/// May import: cluster. Threads: any; each change is one short step under one lock.
///
/// Stability: internal.
@NullMarked
package org.meshbook.cluster.metrics;

import org.jspecify.annotations.NullMarked;
