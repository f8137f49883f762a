/// Names that notebooks written for IJava use; see docs/compatibility.md. Only what notebooks call.
@NullMarked
package io.github.spencerpark.jupyter.kernel.magic.registry;

import org.jspecify.annotations.NullMarked;
