/// Tests of what schemas check.
@org.jspecify.annotations.NullMarked
package org.meshbook.cluster.schema;
