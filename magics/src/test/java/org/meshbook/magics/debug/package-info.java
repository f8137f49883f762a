@NullMarked
package org.meshbook.magics.debug;

import org.jspecify.annotations.NullMarked;
