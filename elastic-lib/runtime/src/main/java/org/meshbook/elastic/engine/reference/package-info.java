/// A plain Java interpreter of the graph: slow, obvious, and what every other engine is compared
/// with.
///
/// Stability: internal.
@NullMarked
package org.meshbook.elastic.engine.reference;

import org.jspecify.annotations.NullMarked;
