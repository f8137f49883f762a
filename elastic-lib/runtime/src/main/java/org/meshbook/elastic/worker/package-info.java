/// One slice host: serves dispatch, compiles and runs programs, keeps shards. May import: `wire`,
/// `engine`, `store`, `transport`.
///
/// Stability: internal.
@NullMarked
package org.meshbook.elastic.worker;

import org.jspecify.annotations.NullMarked;
