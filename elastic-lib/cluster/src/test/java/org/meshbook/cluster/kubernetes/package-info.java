@NullMarked
package org.meshbook.cluster.kubernetes;

import org.jspecify.annotations.NullMarked;
