/// The kernel's sockets, frames and signatures: one thread owns every socket. With the room of the
/// client, the only one that sees JeroMQ, with which it registers.
///
/// Stability: internal.
@NullMarked
package org.meshbook.kernel.wire;

import org.jspecify.annotations.NullMarked;
