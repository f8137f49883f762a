/// A cluster over HTTP, as the Kubernetes API: so that kubectl and every other client can talk to
/// it.
///
/// Listens on loopback and asks for a token. Understood are get, list with label and field
/// selectors, watch, create, replace, patch (merge, JSON patch, and apply), delete, the status
/// sub-resource, dry-run, field validation and warnings; what pods print and commands in them; and
/// what clients ask first: versions, groups and resources.
///
/// Main path: Exchange → Call (kind, name, verb) → Verbs → Cluster → JSON, or a Status that says
/// why not
///
/// May import: cluster, cluster.http, cluster.print. Threads: one virtual thread a request; a watch
/// keeps its own until it ends.
///
/// Stability: internal.
@NullMarked
package org.meshbook.cluster.rest;

import org.jspecify.annotations.NullMarked;
