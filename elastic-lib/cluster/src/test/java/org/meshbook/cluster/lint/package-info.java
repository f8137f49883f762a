/// Tests of `cluster.lint`.
@org.jspecify.annotations.NullMarked
package org.meshbook.cluster.lint;
