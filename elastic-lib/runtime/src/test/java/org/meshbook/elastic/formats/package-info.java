/// Tests of the room of the same name.
@NullMarked
package org.meshbook.elastic.formats;

import org.jspecify.annotations.NullMarked;
