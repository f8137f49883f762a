/// Names that notebooks written for IJava use; see docs/compatibility.md. Only what notebooks call.
@NullMarked
package io.github.spencerpark.ijava;

import org.jspecify.annotations.NullMarked;
