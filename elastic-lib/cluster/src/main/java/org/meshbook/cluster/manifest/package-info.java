/// Texts of manifests, read and written as kubectl does, with the place of every key and value.
///
/// A [Manifest] is what stands in one file or cell: [Document]s, and [Fault]s where a part cannot
/// be read, in kubectl's words. A document is a tree of [Value]s; its JSON is the object. Documents
/// are parted as kubectl parts them (a line that begins with `---`), scalars mean what they mean to
/// it (YAML 1.1: `yes` is true, `010` is 8), and so do its surprises: of two equal keys the last
/// one counts, and what follows the end of the first mapping of a part is dropped in silence.
///
/// Main path: text → Parameters.fill → Manifest.read → Document.resource → Cluster.apply
///
/// May import: `cluster`, SnakeYAML Engine. Threads: values are immutable. Stability: internal.
@NullMarked
package org.meshbook.cluster.manifest;

import org.jspecify.annotations.NullMarked;
