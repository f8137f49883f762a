/// What a rule of the linter is made of: what it reads ([Subject], [Source], [Item]) and what it
/// says ([Finding]).
///
/// Way: Source.read → Subject → Rule.findings → Finding. May import: `cluster`, `cluster.manifest`.
/// Threads: values are immutable. Stability: internal.
@NullMarked
package org.meshbook.cluster.lint.rule;

import org.jspecify.annotations.NullMarked;
