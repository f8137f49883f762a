/// A cluster inside this process: the rules of the Kubernetes API over a store of its own.
///
/// Main path: create → namespace → name → hooks change → hooks check → Store → Lifecycle (owners,
/// finalizers)
///
/// May import: the rooms of the cluster. Threads: any; hooks run in the thread that writes, and so
/// does the collection of what has lost its owner, so that a write has all its consequences in the
/// store when it returns.
///
/// Stability: internal.
@NullMarked
package org.meshbook.cluster.embedded;

import org.jspecify.annotations.NullMarked;
