/// The engine `xla`: graphs become StableHLO text that an XLA plugin compiles and runs, through the
/// PJRT C API and `java.lang.foreign`; no JNI, no Python.
///
/// Way: [Plugin] finds the library → [Api] is its table of functions → [Client] owns the devices →
/// `Client.compile` or [ExecutableCache] → [NativeProgram] → [XlaExecutable] moves host arrays in
/// and out. All offsets of C structs are in [Structs], with the names of `pjrt_c_api.h`.
///
/// XLA ends the process where it meets what it holds impossible (an unknown flag, empty compile
/// options), so it runs in workers only: `Engines.named("xla")` says so elsewhere. Threads: every
/// call may come from any thread; clients live as long as the process, since XLA's threads do.
///
/// Where StableHLO leaves a result open, XLA's is not always the reference's: an integer's power
/// reads the lowest six bits of the exponent, floats beyond u64 do not saturate, indices of u64 are
/// read as signed, and sums of bf16 and f16 are added in that type. `XlaTypesTest` names them.
///
/// May import: `engine`. Source: https://github.com/openxla/xla/blob/main/xla/pjrt/c/pjrt_c_api.h,
/// versions 0.57 to 0.117, in which fields are only ever added at the end. Stability: internal.
@NullMarked
package org.meshbook.elastic.engine.xla;

import org.jspecify.annotations.NullMarked;
