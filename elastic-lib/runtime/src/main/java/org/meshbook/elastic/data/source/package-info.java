/// Where rows come from: a number of rows, any of which can be read by its index.
///
/// May import: `array`. Way: a file or an array → [Source][org.meshbook.elastic.data.source.Source]
/// → `rows(indices)` → a tree of host arrays. CSV and Parquet files are read whole into host arrays
/// when they are opened; images are decoded when they are asked for. Threads: every source is safe
/// on any. Stability: experimental.
@NullMarked
package org.meshbook.elastic.data.source;

import org.jspecify.annotations.NullMarked;
