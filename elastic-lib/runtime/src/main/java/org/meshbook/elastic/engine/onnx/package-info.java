/// The default engine: graphs become ONNX models that ONNX Runtime runs on the CPU.
///
/// Stability: internal.
@NullMarked
package org.meshbook.elastic.engine.onnx;

import org.jspecify.annotations.NullMarked;
