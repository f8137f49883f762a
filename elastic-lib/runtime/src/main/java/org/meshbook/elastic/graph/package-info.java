/// The program that travels: a typed graph of operations, as values.
///
/// Way: `GraphBuilder.add(op, inputs)` → [Graph][org.meshbook.elastic.graph.Graph] →
/// `StableHlo.text(graph)` for people, `Fingerprint.of(graph)` for caches. May import: `array`,
/// `mesh`. Threads: immutable. Stability: experimental.
@NullMarked
package org.meshbook.elastic.graph;

import org.jspecify.annotations.NullMarked;
