/// ZeroMQ sockets, frames and signatures: one thread owns every socket. Only room that sees JeroMQ.
///
/// Stability: internal.
@NullMarked
package org.meshbook.kernel.wire;

import org.jspecify.annotations.NullMarked;
