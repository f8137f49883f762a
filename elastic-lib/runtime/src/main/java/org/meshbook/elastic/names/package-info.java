/// What a program publishes outlives it: arrays, trees of them, and snapshots get names, and the
/// next program of the session looks them up.
///
/// May import: `slices`, `array`, `checkpoint`, `wire`. Way:
/// [Named][org.meshbook.elastic.names.Named] `.publish` →
/// [WrittenTree][org.meshbook.elastic.wire.tree.WrittenTree] → the port
/// [Names][org.meshbook.elastic.slices.Names] → head and workers; `lookup` goes the same way back,
/// into the classes that the new program declared. Threads: everything is thread-safe. Stability:
/// experimental.
@NullMarked
package org.meshbook.elastic.names;

import org.jspecify.annotations.NullMarked;
