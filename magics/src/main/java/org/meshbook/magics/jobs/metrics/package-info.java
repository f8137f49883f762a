/// `%metrics`: how JobSets fare, as a table, and where Prometheus finds the same.
///
/// Main path: MetricsMagic → the API server's `/metrics` → Sample → JobSetRow → Table
///
/// May import: kernel.spi, cluster.metrics, cluster.kubernetes, magics.jobs.door. Threads: the
/// cell's.
///
/// Stability: internal.
@NullMarked
package org.meshbook.magics.jobs.metrics;

import org.jspecify.annotations.NullMarked;
