/// The client's way to the head: finds it, starts it, asks it, and takes in what it tells.
///
/// May import: `controller`, `wire`, `slices`. Way:
/// [LocalHead][org.meshbook.elastic.controller.link.LocalHead] →
/// [HeadLink][org.meshbook.elastic.controller.link.HeadLink] →
/// [MembershipBoard][org.meshbook.elastic.controller.link.MembershipBoard] → its listeners.
/// Threads: everything is thread-safe; listeners are called on the board's thread. Stability:
/// internal.
@NullMarked
package org.meshbook.elastic.controller.link;

import org.jspecify.annotations.NullMarked;
