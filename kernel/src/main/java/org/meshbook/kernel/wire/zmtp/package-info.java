/// The listening end of ZMTP 3.0, ZeroMQ's protocol, on one thread: bytes to frames to messages,
/// handshakes plain and encrypted, and the two patterns that a kernel needs.
///
/// Nothing here blocks and nothing is thread-safe but [Hub#wake()]: whoever owns the [Hub] does
/// all.
///
/// Source: https://rfc.zeromq.org/spec/23/ (ZMTP), https://rfc.zeromq.org/spec/26/ (CurveZMQ)
///
/// Stability: internal.
@NullMarked
package org.meshbook.kernel.wire.zmtp;

import org.jspecify.annotations.NullMarked;
