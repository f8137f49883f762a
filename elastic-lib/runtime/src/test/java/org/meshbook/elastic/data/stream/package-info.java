/// Tests of the room of the same name.
@NullMarked
package org.meshbook.elastic.data.stream;

import org.jspecify.annotations.NullMarked;
