/// What a person types, and what they see.
///
/// Stability: internal.
@NullMarked
package org.meshbook.magics;

import org.jspecify.annotations.NullMarked;
