/// Tests of the default engine against the reference engine.
@NullMarked
package org.meshbook.elastic.engine.onnx;

import org.jspecify.annotations.NullMarked;
