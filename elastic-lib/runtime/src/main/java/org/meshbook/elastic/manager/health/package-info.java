/// Which slices answer: probes, the quarantine of those that compute wrong, and the thread that
/// looks after slices that are out.
///
/// May import: `slices`. Way: [Prober][org.meshbook.elastic.manager.health.Prober] asks the port,
/// leaves out who is in [Quarantine][org.meshbook.elastic.manager.health.Quarantine]; `Monitor` has
/// the manager look again. Threads: each says its own. Stability: internal.
@NullMarked
package org.meshbook.elastic.manager.health;

import org.jspecify.annotations.NullMarked;
