/// Tests of the room of the same name.
@NullMarked
package org.meshbook.elastic.checkpoint.tier.format;

import org.jspecify.annotations.NullMarked;
