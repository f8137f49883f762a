/// The magics for a cluster, in cells of a real kernel, against a real cluster of this machine.
@NullMarked
package org.meshbook.magics.jobs;

import org.jspecify.annotations.NullMarked;
