package org.meshbook.kernel.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class KernelSpecTest {
    @TempDir Path folder;

    private static KernelSpec spec(String name) {
        return new KernelSpec(
                new KernelName(name),
                "Java (Meshbook)",
                List.of("/x/meshbook", "--jvm-arg=-Da=b c", "kernel"),
                Map.of("JAVA_HOME", "/jdk"));
    }

    @Test
    void theSpecNamesTheLauncherAndTheMessageInterrupt() throws IOException {
        var file = spec("meshbook").install(folder.resolve("kernels"));

        assertThat(file).isEqualTo(folder.resolve("kernels/meshbook/kernel.json").toAbsolutePath());
        var json = JsonMapper.shared().readTree(Files.readString(file));
        assertThat(json.path("argv").toString())
                .isEqualTo(
                        "[\"/x/meshbook\",\"--jvm-arg=-Da=b c\",\"kernel\",\"{connection_file}\"]");
        assertThat(json.path("language").asString()).isEqualTo("java");
        assertThat(json.path("display_name").asString()).isEqualTo("Java (Meshbook)");
        assertThat(json.path("interrupt_mode").asString()).isEqualTo("message");
        assertThat(json.path("env").path("JAVA_HOME").asString()).isEqualTo("/jdk");
        assertThat(json.path("metadata").path("debugger").asBoolean(true)).isFalse();
    }

    @Test
    void logosAreAPictureInTwoSizesAndADrawing() throws IOException {
        var file = spec("meshbook").install(folder);
        assertThat(file.resolveSibling("logo-svg.svg")).content().startsWith("<svg");
        for (var size : List.of(32, 64)) {
            var png = file.resolveSibling("logo-%dx%d.png".formatted(size, size));
            var image = javax.imageio.ImageIO.read(png.toFile());
            assertThat(image.getWidth()).isEqualTo(size);
            assertThat(image.getHeight()).isEqualTo(size);
        }
    }

    @Test
    void installingAgainReplacesTheSpecAndLeavesNothingElse() throws IOException {
        spec("meshbook").install(folder);
        spec("meshbook").install(folder);
        try (var files = Files.list(folder.resolve("meshbook"))) {
            assertThat(files.map(f -> f.getFileName().toString()))
                    .containsExactlyInAnyOrder(
                            "kernel.json", "logo-svg.svg", "logo-32x32.png", "logo-64x64.png");
        }
    }

    @Test
    void aPlaceThatIsNoFolderIsNamedWithWhatToDo() throws IOException {
        var file = Files.writeString(folder.resolve("file"), "x");
        assertThatThrownBy(() -> spec("meshbook").install(file))
                .isInstanceOf(NotInstalled.class)
                .hasMessageContaining("cannot write")
                .hasMessageContaining("--user")
                .message()
                .doesNotContain("\n");
    }

    @Test
    void theKernelOfAnotherProgramIsNeitherReplacedNorRemoved() throws IOException {
        var other = folder.resolve("python3/kernel.json");
        Files.createDirectories(other.getParent());
        var text = "{\"argv\": [\"python\"], \"display_name\": \"Python 3\"}";
        Files.writeString(other, text);

        assertThatThrownBy(() -> spec("python3").install(folder))
                .hasMessageContainingAll("Python 3", "--name");
        assertThatThrownBy(() -> InstalledKernel.read(other).orElseThrow().remove())
                .hasMessageContaining("another program");
        assertThat(other).hasContent(text);
    }

    @Test
    void whatWasInstalledIsRemovedWhole() {
        var file = spec("meshbook").install(folder);
        InstalledKernel.read(file).orElseThrow().remove();
        assertThat(folder.resolve("meshbook")).doesNotExist();
    }

    @Test
    void aLauncherThatIsGoneIsAFault() {
        var installed = InstalledKernel.read(spec("meshbook").install(folder)).orElseThrow();
        assertThat(installed.name()).isEqualTo("meshbook");
        assertThat(installed.fault()).hasValue("'/x/meshbook' is not there");
    }

    @Test
    void aBrokenSpecIsReplaced() throws IOException {
        var file = folder.resolve("meshbook/kernel.json");
        Files.createDirectories(file.getParent());
        Files.writeString(file, "{\"argv\": [");
        assertThat(InstalledKernel.read(file).orElseThrow().fault()).isPresent();
        spec("meshbook").install(folder);
        assertThat(InstalledKernel.read(file).orElseThrow().command()).contains("/x/meshbook");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "../up", ".", "..", "", "a/b", "a\\b", "a b", "ä", "-x", ".x", "nul", "a\nb"
            })
    void aNameThatIsNoPlainFolderIsRefused(String name) {
        assertThatThrownBy(() -> new KernelName(name))
                .isInstanceOf(NotInstalled.class)
                .message()
                .contains("cannot be a kernel's name")
                .doesNotContain("\n");
    }

    @Test
    void namesAreComparedAsJupyterDoes() {
        assertThat(new KernelName("Meshbook-21.x_y").text()).isEqualTo("meshbook-21.x_y");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "two\nlines"})
    void aDisplayNameIsOneLine(String text) {
        assertThatThrownBy(() -> new KernelSpec(new KernelName("m"), text, List.of("/x"), Map.of()))
                .hasMessageContaining("one line");
    }

    @Test
    void anUnknownProfileNamesTheKnownOnes() {
        assertThat(Profile.named("Throughput")).isEqualTo(Profile.THROUGHPUT);
        assertThatThrownBy(() -> Profile.named("fast"))
                .hasMessageContainingAll("'fast'", "throughput", "c1", "small");
    }
}
