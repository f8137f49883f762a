package org.meshbook.elastic.controller.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.controller.link.LocalHead;
import org.meshbook.elastic.slices.Guest;

/// What lives in a head beside the slices, in a real head.
@Timeout(60)
class GuestTest {
    private Path folder = Path.of("");

    @BeforeEach
    void makeFolder() throws IOException {
        folder = Files.createTempDirectory("meshbook-test-");
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        LocalHead.at(folder).stop();
        try (var files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(f -> f.toFile().delete());
        }
    }

    /// Found by the head's ServiceLoader.
    public static final class Diary implements Guest {
        @Override
        public String name() {
            return "diary";
        }

        @Override
        public Running start(Path folder, Map<String, String> options) throws IOException {
            UsageError.require(!options.containsKey("bad"), "a diary cannot be 'bad'");
            var page = folder.resolve("page");
            Files.writeString(page, "began " + options);
            return new Running() {
                @Override
                public Map<String, String> facts(Map<String, String> asked) {
                    return Map.of("page", page.toString(), "asked", asked.toString());
                }

                @Override
                public void close() {
                    try {
                        Files.writeString(page, "ended");
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }
            };
        }
    }

    @Test
    void aGuestIsStartedOnceAndEndsWithItsHead() throws Exception {
        Path page;
        try (var session = Session.open(options())) {
            var first = session.guest("diary", Map.of("ink", "blue"));
            page = Path.of(first.get("page"));
            assertThat(page).hasContent("began {ink=blue}");
            assertThat(Files.getPosixFilePermissions(page.getParent())).hasSize(3);
            assertThat(session.guest("diary", Map.of()).get("asked")).isEqualTo("{}");
            assertThat(page).hasContent("began {ink=blue}");
        }
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(page).hasContent("ended"));
    }

    @Test
    void whatTheHeadCannotHaveIsRefusedInOneLine() {
        try (var session = Session.open(options())) {
            assertThatThrownBy(() -> session.guest("dairy", Map.of()))
                    .isInstanceOf(UsageError.class)
                    .hasMessage("the head has no guest 'dairy'; it knows diary");
            assertThatThrownBy(() -> session.guest("diary", Map.of("bad", "")))
                    .hasMessage("a diary cannot be 'bad'");
            assertThat(session.guest("diary", Map.of())).containsKey("page");
        }
    }

    private SessionOptions options() {
        return SessionOptions.named("test").withFolder(folder);
    }
}
