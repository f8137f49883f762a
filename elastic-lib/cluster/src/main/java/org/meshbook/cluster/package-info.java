/// Where slices and jobs come from: the port to clusters. Nearly empty until the queue is built.
///
/// Stability: internal.
@NullMarked
package org.meshbook.cluster;

import org.jspecify.annotations.NullMarked;
