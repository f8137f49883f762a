/// The wire: protobuf messages, gRPC services, codecs for graphs and arrays, and the token check.
/// May import: `graph`, `slices`, `array`, `mesh`.
///
/// Stability: internal.
@NullMarked
package org.meshbook.elastic.wire;

import org.jspecify.annotations.NullMarked;
