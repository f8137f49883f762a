/// The linter: tells what a cluster would do with manifests before it is asked.
///
/// What is linted together is read together: rules look across files. [Linter] is the front;
/// `lint.rule` says what a rule is, `lint.manifests` has the rules about objects, `lint.documents`
/// finds manifests, commands and output inside a text and has the rules about them, `lint.output`
/// writes findings as text, JSON and SARIF.
///
/// Main path: text → Source.read → Linter.lint → Finding → Reports.text
///
/// May import: `cluster.manifest`, `cluster.schema`, `cluster.queue`. Threads: pure.
///
/// Stability: internal.
@NullMarked
package org.meshbook.cluster.lint;

import org.jspecify.annotations.NullMarked;
