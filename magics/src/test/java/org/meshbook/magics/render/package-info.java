/// Tests of what is shown.
@NullMarked
package org.meshbook.magics.render;

import org.jspecify.annotations.NullMarked;
