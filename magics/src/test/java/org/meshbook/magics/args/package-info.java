/// Tests of the grammar.
@NullMarked
package org.meshbook.magics.args;

import org.jspecify.annotations.NullMarked;
