/// Rows that can only be read in order: lines of files, records of logs.
///
/// May import: `array`. Rows come in parts, as files; a part is what readers share out, and each
/// has a state of its own: how many of its rows were used. Way:
/// [Streams][org.meshbook.elastic.data.stream.Streams] `.lines(files, parse)` → `shard(i, count)` →
/// `batch(32)` → `from(position)` → a tree of host arrays. Where every row can be read by its
/// index, `data` promises more. Threads: a feed belongs to one; all else is immutable. Source:
/// Grain's elastic iterator, https://github.com/google/grain. Stability: experimental.
@NullMarked
package org.meshbook.elastic.data.stream;

import org.jspecify.annotations.NullMarked;
