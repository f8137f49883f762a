package org.meshbook.cluster.nodes.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ImagesTest {
    @TempDir Path folder;

    @ParameterizedTest(name = "{0} runs {1}")
    @CsvSource({
        "python:3.8, python3",
        "python, python3",
        "docker.io/library/python:3.11-slim, python3",
        "rayproject/ray:2.53.0-py311, bash",
        "busybox, sh",
        "registry.local:5000/team/busybox@sha256:0123456789abcdef0123456789abcdef, sh",
        "eclipse-temurin:25, jshell"
    })
    void usualImagesHaveAProgram(String image, String program) throws IOException {
        var mapping = new Images(folder.resolve("images.conf")).find(image).orElseThrow();

        assertThat(mapping.command()).containsExactly(program);
    }

    @Test
    void unknownImageHasNone() throws IOException {
        assertThat(new Images(folder.resolve("images.conf")).find("gcr.io/me/trainer:1")).isEmpty();
    }

    @Test
    void personMayAddLinesWhileTheClusterRuns() throws IOException {
        var images = new Images(folder.resolve("images.conf"));
        assertThat(images.find("trainer")).isEmpty();

        Files.writeString(images.file(), "trainer* = java -jar t.jar | t=java # ours\n");

        var mapping = images.find("trainer:2").orElseThrow();
        assertThat(mapping.command()).containsExactly("java", "-jar", "t.jar");
        assertThat(mapping.aliases()).containsEntry("t", "java");
    }

    @ParameterizedTest(name = "\"{0}\" is an image: {1}")
    @CsvSource({
        "<IMAGE LOCATION>, false",
        "python:3.8, true",
        "localhost:5000/a/b_c:v1.2, true",
        "a//b, false",
        "'', false"
    })
    void imagesAreWrittenInOneWay(String image, boolean valid) {
        assertThat(Images.valid(image)).isEqualTo(valid);
    }
}
