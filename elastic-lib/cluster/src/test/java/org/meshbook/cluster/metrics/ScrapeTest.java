package org.meshbook.cluster.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What Prometheus is told.
class ScrapeTest {
    @TempDir private Path folder;

    @Test
    void secretsAreNamedByTheirFilesAndNeverShown() throws Exception {
        Files.writeString(folder.resolve("token"), "0123456789abcdef");
        var scrape = new Scrape(URI.create("https://127.0.0.1:4711"), folder);

        assertThat(scrape.config("here"))
                .contains("credentials_file: '" + folder.resolve("token") + "'")
                .contains("ca_file: '" + folder.resolve("ca.crt") + "'")
                .contains("targets: ['127.0.0.1:4711']")
                .contains("{cluster: 'here', cluster_name: 'here'}")
                .doesNotContain("0123456789abcdef");
    }
}
