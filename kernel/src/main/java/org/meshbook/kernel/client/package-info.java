/// The front end's end of the wire: starts a kernel as Jupyter would and asks it something.
///
/// May import: `wire`, `protocol`. Way: kernelspec's command → process and connection file →
/// sockets → request → reply. Threads: one at a time. Stability: internal.
@NullMarked
package org.meshbook.kernel.client;

import org.jspecify.annotations.NullMarked;
