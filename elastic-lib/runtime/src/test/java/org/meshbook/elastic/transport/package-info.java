@NullMarked
package org.meshbook.elastic.transport;

import org.jspecify.annotations.NullMarked;
