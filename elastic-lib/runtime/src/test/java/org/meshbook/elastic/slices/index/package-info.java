/// Tests of the room of the same name.
@NullMarked
package org.meshbook.elastic.slices.index;

import org.jspecify.annotations.NullMarked;
