/// Arrays, jit and an elastic device mesh for Java.
///
/// This front room holds only the failures that every other room throws; it imports nothing.
/// Stability: experimental.
@NullMarked
package org.meshbook.elastic;

import org.jspecify.annotations.NullMarked;
