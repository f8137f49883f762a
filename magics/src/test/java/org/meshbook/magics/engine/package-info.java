@NullMarked
package org.meshbook.magics.engine;

import org.jspecify.annotations.NullMarked;
