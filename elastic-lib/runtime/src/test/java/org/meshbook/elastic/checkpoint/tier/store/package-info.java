/// Tests of the room of the same name.
@NullMarked
package org.meshbook.elastic.checkpoint.tier.store;

import org.jspecify.annotations.NullMarked;
