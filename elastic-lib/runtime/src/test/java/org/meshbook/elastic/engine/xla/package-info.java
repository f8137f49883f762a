@NullMarked
package org.meshbook.elastic.engine.xla;

import org.jspecify.annotations.NullMarked;
