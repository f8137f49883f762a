/// Names that notebooks written for JJava use; see docs/compatibility.md. Only what notebooks call.
@NullMarked
package org.dflib.jjava.jupyter.messages.reply;

import org.jspecify.annotations.NullMarked;
