/// Tests of the room of the same name.
@NullMarked
package org.meshbook.elastic.sim;

import org.jspecify.annotations.NullMarked;
