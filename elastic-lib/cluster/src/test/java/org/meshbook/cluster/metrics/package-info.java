/// Tests of the figures of a cluster.
@org.jspecify.annotations.NullMarked
package org.meshbook.cluster.metrics;
