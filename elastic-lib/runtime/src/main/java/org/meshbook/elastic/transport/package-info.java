/// Bulk data between workers: connections, mailboxes, and collectives over them.
///
/// Way of a message: device thread → [org.meshbook.elastic.transport.Exchange] `post` → TCP or, for
/// a device of the same worker, hand-over → `Mailbox` → `take` of the other device's thread.
///
/// Why waiting cannot block for ever: the client numbers operations and sends them to every worker
/// in that order; each device works in that order; senders never wait for receivers (readers empty
/// sockets into mailboxes). So the unfinished operation with the smallest number always has all its
/// messages under way, except from lost workers, and those waits end by
/// [org.meshbook.elastic.transport.Exchange#lose], by the end of a connection, or by
/// [org.meshbook.elastic.transport.Exchange#abandon].
///
/// # Format of a bulk connection, version 1
///
/// TCP; one connection a direction, opened by the sender at its first message. Integers are
/// big-endian, payloads little-endian elements. Both ends prove that they know the session's token:
///
/// 1. caller: magic `4D420001`, 32 random bytes C
/// 2. callee: magic, 32 random bytes S, `HMAC-SHA256(token, "accept" C S)`
/// 3. caller: slice, generation, host (3 × int32), `HMAC-SHA256(token, "connect" S C name)` with
///    those 12 bytes as name
///
/// Then frames follow without answers: magic `4D424652`, int32 fault flag, int32 count of targets
/// (1 to 4096), int32 sending device, int64 operation, int32 step, int32 piece, int64 length (at
/// most 2³¹−1), targets (int32 device ids of the receiving worker), payload. The payload of a fault
/// is UTF-8: kind, line feed, slices separated by spaces, line feed, message. A frame that breaks a
/// bound ends the connection. TCP's checksum is the only one.
///
/// May import: `array`. Threads: readers are platform threads named `bulk read …`; `Exchange` is
/// thread-safe. Stability: internal.
@NullMarked
package org.meshbook.elastic.transport;

import org.jspecify.annotations.NullMarked;
