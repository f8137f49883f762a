/// Tests of the room of the same name.
@NullMarked
package org.meshbook.elastic.checkpoint.tier;

import org.jspecify.annotations.NullMarked;
