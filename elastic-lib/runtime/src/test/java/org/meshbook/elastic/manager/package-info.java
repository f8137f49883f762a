/// Tests of the room of the same name.
@NullMarked
package org.meshbook.elastic.manager;

import org.jspecify.annotations.NullMarked;
