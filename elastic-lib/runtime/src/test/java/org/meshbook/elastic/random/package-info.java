/// Tests of random numbers.
@NullMarked
package org.meshbook.elastic.random;

import org.jspecify.annotations.NullMarked;
