/// A client's session: a lease of slices from the head, how it is opened, and how it is attached to
/// again.
///
/// May import: `controller.link`, `controller`, `wire`, `slices`. Way:
/// [Session][org.meshbook.elastic.controller.session.Session] `.open` → `provision` →
/// [MeshRuntime][org.meshbook.elastic.controller.MeshRuntime]. Threads: everything is thread-safe.
/// Stability: internal.
@NullMarked
package org.meshbook.elastic.controller.session;

import org.jspecify.annotations.NullMarked;
