/// What a kernel costs, seen from the front end's side of the wire: ours beside its peers.
///
/// May import: what `bench` may. Main path: a kernelspec's command → a process ([Peer]) → its
/// sockets ([ZmtpLink], written by hand, so that no library of the kernel's measures itself) →
/// questions and answers ([Front]) → the rows ([KernelBench]) → table and JSON ([KernelResult]).
///
/// Threads: one reader a socket; everything else on the caller's. Stability: internal.
@NullMarked
package org.meshbook.bench.kernel;

import org.jspecify.annotations.NullMarked;
