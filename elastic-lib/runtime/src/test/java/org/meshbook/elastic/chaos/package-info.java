@NullMarked
package org.meshbook.elastic.chaos;

import org.jspecify.annotations.NullMarked;
