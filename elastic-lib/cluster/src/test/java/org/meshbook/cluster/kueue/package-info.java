/// Tests of Kueue's controllers over the embedded cluster.
@org.jspecify.annotations.NullMarked
package org.meshbook.cluster.kueue;
