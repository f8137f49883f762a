/// How to reach a cluster: kubeconfig files, and what a server is shown to know us by.
///
/// Main path: $KUBECONFIG or ~/.kube/config, or a pod's service account → context → Access, whose
/// Credentials are asked before each request and once more when the server does not accept them
///
/// May import: cluster, cluster.manifest; fabric8's Config. Threads: any.
///
/// Stability: internal.
@NullMarked
package org.meshbook.cluster.kubernetes.login;

import org.jspecify.annotations.NullMarked;
