/// Tests of the rules of admission, without a cluster.
@org.jspecify.annotations.NullMarked
package org.meshbook.cluster.queue;
