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
import tools.jackson.databind.json.JsonMapper;

class KernelSpecTest {
    @TempDir Path folder;

    private static KernelSpec spec(String name) {
        return new KernelSpec(name, List.of("/x/meshbook"));
    }

    @Test
    void theSpecNamesTheLauncherAndTheMessageInterrupt() throws IOException {
        var file = spec("meshbook").install(folder.resolve("kernels"));

        assertThat(file).isEqualTo(folder.resolve("kernels/meshbook/kernel.json").toAbsolutePath());
        var json = JsonMapper.shared().readTree(Files.readString(file));
        assertThat(json.path("argv").toString())
                .isEqualTo("[\"/x/meshbook\",\"kernel\",\"{connection_file}\"]");
        assertThat(json.path("language").asString()).isEqualTo("java");
        assertThat(json.path("display_name").asString()).isEqualTo("Java (Meshbook)");
        assertThat(json.path("interrupt_mode").asString()).isEqualTo("message");
        assertThat(file.resolveSibling("logo-svg.svg")).content().startsWith("<svg");
    }

    @Test
    void installingAgainReplacesTheSpecAndLeavesNothingElse() throws IOException {
        spec("meshbook").install(folder);
        spec("meshbook").install(folder);
        try (var files = Files.list(folder.resolve("meshbook"))) {
            assertThat(files.map(f -> f.getFileName().toString()))
                    .containsExactlyInAnyOrder("kernel.json", "logo-svg.svg");
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
    void aNameThatJupyterRefusesIsRefused() {
        assertThatThrownBy(() -> spec("../up")).hasMessageContaining("'../up'");
    }

    @Test
    void foldersAreJupytersOwn() {
        var home = Path.of("/home/ann");
        var linux = new KernelFolders(Map.of(), home, "Linux");
        assertThat(linux.user()).isEqualTo(home.resolve(".local/share/jupyter/kernels"));
        var xdg = new KernelFolders(Map.of("XDG_DATA_HOME", "/d"), home, "Linux");
        assertThat(xdg.user()).isEqualTo(Path.of("/d/jupyter/kernels"));
        var data = new KernelFolders(Map.of("JUPYTER_DATA_DIR", "/j"), home, "Linux");
        assertThat(data.user()).isEqualTo(Path.of("/j/kernels"));
        var mac = new KernelFolders(Map.of(), home, "Mac OS X");
        assertThat(mac.user()).isEqualTo(home.resolve("Library/Jupyter/kernels"));
        var venv = new KernelFolders(Map.of("VIRTUAL_ENV", "/v"), home, "Linux");
        assertThat(venv.active()).isEqualTo(Path.of("/v/share/jupyter/kernels"));
        assertThatThrownBy(linux::active).hasMessageContaining("VIRTUAL_ENV");
    }
}
