/// Tests of Kueue's configuration.
@NullMarked
package org.meshbook.cluster.kueue.config;

import org.jspecify.annotations.NullMarked;
