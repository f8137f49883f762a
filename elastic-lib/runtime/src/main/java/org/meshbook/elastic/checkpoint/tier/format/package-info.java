/// The format of a checkpoint: names, the manifest and its text, trees as JSON. See
/// docs/checkpoints.md.
///
/// May import: `array`. Way: a tree → [org.meshbook.elastic.checkpoint.tier.format.TreeCodec] →
/// [org.meshbook.elastic.checkpoint.tier.format.Manifest] →
/// [org.meshbook.elastic.checkpoint.tier.format.ManifestText] and back. Threads: everything is
/// immutable. Stability: experimental; the format has a version.
@NullMarked
package org.meshbook.elastic.checkpoint.tier.format;

import org.jspecify.annotations.NullMarked;
