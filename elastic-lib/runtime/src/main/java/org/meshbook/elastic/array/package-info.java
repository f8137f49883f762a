/// Array types, the vocabulary of operations, and trees of arrays: no devices, no I/O.
///
/// [org.meshbook.elastic.array.Array] is an interface with three kinds of value behind it: host
/// arrays (here), traced arrays (`jit`) and placed arrays (`controller`). Every operation is one
/// [org.meshbook.elastic.array.Op]. May import: `mesh`. Way: `x.add(y)` → `Op.Binary` → `Apply`:
/// broadcast, [infer][org.meshbook.elastic.array.Op#infer] → `Array.apply` of the operand with the
/// highest precedence. [Tree][org.meshbook.elastic.array.Tree] takes records, lists and maps of
/// arrays apart and builds them again. Threads: immutable. Stability: experimental.
@NullMarked
package org.meshbook.elastic.array;

import org.jspecify.annotations.NullMarked;
