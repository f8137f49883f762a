/// Findings as text, JSON and SARIF.
///
/// May import: `cluster.lint.rule`, Jackson. Threads: pure. Stability: internal.
@NullMarked
package org.meshbook.cluster.lint.output;

import org.jspecify.annotations.NullMarked;
