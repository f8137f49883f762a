/// `bench step`: training steps through dispatch, beside the same steps in JAX.
///
/// May import: `magics`, the runtime. Way: `StepSuite` → `StepBench` asks in turns a worker of its
/// own and `JaxPeer`, a Python that JAX was installed into by pip → `StepResult`. Threads: the
/// caller's. Stability: internal.
@NullMarked
package org.meshbook.bench.step;

import org.jspecify.annotations.NullMarked;
