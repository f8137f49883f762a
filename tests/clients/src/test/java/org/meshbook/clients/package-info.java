/// Tests that need another program: Python with JAX, a Jupyter client. Each says that it skips
/// where the program is missing.
@NullMarked
package org.meshbook.clients;

import org.jspecify.annotations.NullMarked;
