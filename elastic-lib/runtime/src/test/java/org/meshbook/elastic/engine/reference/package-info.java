/// Tests of the reference engine against values computed by hand.
@NullMarked
package org.meshbook.elastic.engine.reference;

import org.jspecify.annotations.NullMarked;
