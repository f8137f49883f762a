/// Containers as programs of this machine: what starts them, what they are started with, what is
/// left of them.
///
/// A container is a [Launch]; a [ContainerRuntime] makes it a [Running] one; its end is an [Exit].
/// [ProcessRuntime] starts real processes, [VirtualRuntime] plays scripts on a clock for
/// simulations. Which program stands for an image is written in a file that a person may edit, see
/// [Images].
///
/// Main path: Launch → ProcessRuntime → Running → Exit → whoever asked to be woken
///
/// May import: cluster. Threads: runtimes may be called by any thread; the end of a process is told
/// by a thread of its own.
///
/// Stability: internal.
@NullMarked
package org.meshbook.cluster.nodes.process;

import org.jspecify.annotations.NullMarked;
