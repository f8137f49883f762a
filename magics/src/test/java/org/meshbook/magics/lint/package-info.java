/// Tests of `magics.lint`.
@org.jspecify.annotations.NullMarked
package org.meshbook.magics.lint;
