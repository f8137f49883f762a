@NullMarked
package org.meshbook.magics.compat;

import org.jspecify.annotations.NullMarked;
