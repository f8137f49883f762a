@NullMarked
package org.meshbook.elastic.wire;

import org.jspecify.annotations.NullMarked;
