@NullMarked
package org.meshbook.cluster.rest;

import org.jspecify.annotations.NullMarked;
