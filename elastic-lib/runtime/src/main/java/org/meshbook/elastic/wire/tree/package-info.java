/// Trees of arrays as bytes, for what outlives the program that made them.
///
/// May import: `wire`, `array`. Format: `names.proto`; fields are added and never change their
/// meaning. Plain values are of a closed set of types, and a record's class is looked for only
/// among records that are on the class path. Stability: internal.
@NullMarked
package org.meshbook.elastic.wire.tree;

import org.jspecify.annotations.NullMarked;
