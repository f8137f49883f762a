@NullMarked
package org.meshbook.elastic.train;

import org.jspecify.annotations.NullMarked;
