@NullMarked
package org.meshbook.magics.slices;

import org.jspecify.annotations.NullMarked;
