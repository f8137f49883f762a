/// Forms that bodies have besides an object as JSON: JSON patches, protobuf, and what the server
/// says of itself as OpenAPI.
///
/// Main path: bytes → Protobuf → JSON; JSON → JsonPatch → a changed object
///
/// May import: cluster. Threads: any; values are immutable. Stability: internal.
@NullMarked
package org.meshbook.cluster.rest.form;

import org.jspecify.annotations.NullMarked;
