/// Keeps objects: one counter of versions, one order of changes, watches that hear them in it.
///
/// A [Store] knows nothing of kinds' rules; it compares versions, keeps the objects by kind and
/// name and by owner, and tells of each change once.
///
/// Main path: Store.put → counter + 1 → Feed → listener
///
/// May import: cluster. Threads: any; a lock guards the tables, listeners are called outside it,
/// each by one thread at a time.
///
/// Stability: internal.
@NullMarked
package org.meshbook.cluster.store;

import org.jspecify.annotations.NullMarked;
