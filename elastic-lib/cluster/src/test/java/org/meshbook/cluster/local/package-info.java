@NullMarked
package org.meshbook.cluster.local;

import org.jspecify.annotations.NullMarked;
