@NullMarked
package org.meshbook.magics.daily;

import org.jspecify.annotations.NullMarked;
