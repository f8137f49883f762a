package org.meshbook.cluster.metrics;

import java.net.URI;
import java.nio.file.Path;

/// Where Prometheus finds the figures of a cluster. Secrets are named by their files, never shown.
///
/// @param server where the API server listens
/// @param folder where its `token` and its certificate `ca.crt` lie, which only their user may read
public record Scrape(URI server, Path folder) {
    /// @return the file with the bearer token
    public Path token() {
        return folder.resolve("token");
    }

    /// @return the file with the certificate to trust
    public Path certificate() {
        return folder.resolve("ca.crt");
    }

    /// @param cluster what queries and dashboards call the cluster
    /// @return a section `scrape_configs` for `prometheus.yml`
    public String config(String cluster) {
        return """
        scrape_configs:
        - job_name: meshbook
          scheme: https
          authorization:
            credentials_file: '%s'
          tls_config:
            ca_file: '%s'
          static_configs:
          - targets: ['%s']
            labels: {cluster: '%s', cluster_name: '%4$s'}
        """
                .formatted(token(), certificate(), server.getAuthority(), cluster);
    }
}
