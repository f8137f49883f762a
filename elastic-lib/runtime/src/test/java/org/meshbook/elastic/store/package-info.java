/// Tests of the room of the same name.
@NullMarked
package org.meshbook.elastic.store;

import org.jspecify.annotations.NullMarked;
