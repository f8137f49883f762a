/// Tests of what a person is told of the queue.
@org.jspecify.annotations.NullMarked
package org.meshbook.cluster.outlook;
