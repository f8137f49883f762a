/// Tests of `cluster.lint.output`.
@org.jspecify.annotations.NullMarked
package org.meshbook.cluster.lint.output;
