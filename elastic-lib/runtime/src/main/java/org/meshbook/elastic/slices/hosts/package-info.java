/// Functions that run on the hosts of slices, beside the data: Pathways' colocated functions.
///
/// May import: `slices`, `array`, `mesh`. Way: class → [org.meshbook.elastic.slices.hosts.HostCall]
/// → [org.meshbook.elastic.slices.Slices#onHosts] → on each host
/// [org.meshbook.elastic.slices.hosts.HostFunction] →
/// [org.meshbook.elastic.slices.hosts.HostResults]. Threads: calls of one lane run in order on each
/// host, those of different lanes beside each other; a lane is a thread unless it is named.
/// Stability: experimental.
@NullMarked
package org.meshbook.elastic.slices.hosts;

import org.jspecify.annotations.NullMarked;
