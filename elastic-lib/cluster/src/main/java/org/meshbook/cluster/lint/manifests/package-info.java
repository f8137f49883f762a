/// Rules about manifests, and the small models that they share.
///
/// [RuleBook] lists all rules; each group has a file. May import: `cluster.lint.rule`,
/// `cluster.manifest`, `cluster.schema`, `cluster.queue`. Threads: pure. Stability: internal.
@NullMarked
package org.meshbook.cluster.lint.manifests;

import org.jspecify.annotations.NullMarked;
