/// Tests of the room of the same name.
@NullMarked
package org.meshbook.elastic.slices.axis;

import org.jspecify.annotations.NullMarked;
