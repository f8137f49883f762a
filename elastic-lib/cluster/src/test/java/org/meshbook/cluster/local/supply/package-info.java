@NullMarked
package org.meshbook.cluster.local.supply;

import org.jspecify.annotations.NullMarked;
