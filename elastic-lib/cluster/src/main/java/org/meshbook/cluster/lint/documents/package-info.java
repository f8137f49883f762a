/// Manifests, commands and output inside a text, and the rules about them.
///
/// Way: Text → [Blocks] → Source; [DocumentRules] look at the text itself. May import:
/// `cluster.lint.rule`. Threads: pure. Stability: internal.
@NullMarked
package org.meshbook.cluster.lint.documents;

import org.jspecify.annotations.NullMarked;
