/// Tests of the engines and of the cutting of graphs.
@NullMarked
package org.meshbook.elastic.engine;

import org.jspecify.annotations.NullMarked;
