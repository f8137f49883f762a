package org.meshbook.cluster.kubernetes.login;

import io.fabric8.kubernetes.client.Config;

/// How one cluster is reached.
///
/// @param name its context, as a person chooses it
/// @param source where that stands, for messages
/// @param namespace the context's namespace
/// @param config address, certificates and proxies; no token
/// @param credentials what the server is shown
public record Access(
        String name, String source, String namespace, Config config, Credentials credentials) {}
