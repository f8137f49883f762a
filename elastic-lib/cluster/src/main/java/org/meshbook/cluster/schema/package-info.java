/// What objects of each kind may look like, and what an API server says of those that do not.
///
/// Main path: Schemas.of → ObjectSchema.prune → fill → check (structure, then the rules in CEL) →
/// causes
///
/// The schemas are facts of upstream's CustomResourceDefinitions (Apache-2.0; Kueue v0.14.8,
/// v0.17.8 and v0.19.2, JobSet v0.12.0, KubeRay v1.5.1, ProvisioningRequest of cluster-autoscaler),
/// made compact by `src/schemas/compact.py`, and `builtins.json`, written by hand for the kinds
/// that have none.
///
/// May import: cluster, cluster.manifest, Jackson, `dev.cel`. Threads: any; a schema is parsed when
/// it is first asked for, a rule is compiled when it is first needed, both once.
///
/// Stability: internal.
@NullMarked
package org.meshbook.cluster.schema;

import org.jspecify.annotations.NullMarked;
