/// Tests of `cluster.manifest`.
@org.jspecify.annotations.NullMarked
package org.meshbook.cluster.manifest;
