/// Every operation once, as people call it and as JAX calls it: what docs/operations.md lists, what
/// the engines must agree on, and what random programs are made of.
@NullMarked
package org.meshbook.elastic.operations;

import org.jspecify.annotations.NullMarked;
