/// The wire: protobuf messages, gRPC methods, codecs for graphs and arrays, and the token check.
///
/// Way of a program: `jit.Program` → [org.meshbook.elastic.wire.GraphCodec] → `GraphProto` → stream
/// of [org.meshbook.elastic.wire.WorkerMethods] → worker → `Graph`. Messages are versioned by their
/// protobuf package (`meshbook.v1`); literals and chunks hold little-endian elements, which is
/// every supported machine's native order. May import: `graph`, `slices`, `array`, `mesh`. Threads:
/// codecs are pure. Stability: internal.
@NullMarked
package org.meshbook.elastic.wire;

import org.jspecify.annotations.NullMarked;
