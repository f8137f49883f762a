@NullMarked
package org.meshbook.magics.maven;

import org.jspecify.annotations.NullMarked;
