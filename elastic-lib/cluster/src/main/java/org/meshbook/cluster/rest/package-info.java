/// A cluster over HTTP, as the Kubernetes API: so that kubectl and every other client can talk to
/// it.
///
/// Listens on loopback and asks for a token. Understood are get, list with label and field
/// selectors, watch, create, replace, patch (merge, and apply), delete, the status sub-resource,
/// dry-run, field validation and warnings; and what clients ask first: versions, groups and
/// resources.
///
/// Main path: HttpExchange → Call (kind, name, verb) → Verbs → Cluster → JSON, or a Status that
/// says why not
///
/// May import: cluster. Threads: one virtual thread a request; a watch keeps its own until it ends.
///
/// Stability: internal.
@NullMarked
package org.meshbook.cluster.rest;

import org.jspecify.annotations.NullMarked;
