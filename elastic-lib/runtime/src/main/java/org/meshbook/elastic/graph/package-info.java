/// The program that travels: a typed graph of operations, as values.
///
/// May import: `array`, `mesh`. Threads: immutable. Stability: experimental.
@NullMarked
package org.meshbook.elastic.graph;

import org.jspecify.annotations.NullMarked;
