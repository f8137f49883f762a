package org.meshbook.kernel.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelFoldersTest {
    private static final Path HOME = Path.of("/home/ann");

    @TempDir Path environment;

    private static KernelFolders linux(Map<String, String> variables) {
        return new KernelFolders(variables, HOME, "Linux");
    }

    @Test
    void onLinuxTheUsersFolderFollowsXdg() {
        assertThat(linux(Map.of()).user()).isEqualTo(HOME.resolve(".local/share/jupyter/kernels"));
        assertThat(linux(Map.of("XDG_DATA_HOME", "/d")).user())
                .isEqualTo(Path.of("/d/jupyter/kernels"));
    }

    @Test
    void onMacItIsTheLibrary() {
        var mac = new KernelFolders(Map.of(), HOME, "Mac OS X");
        assertThat(mac.user()).isEqualTo(HOME.resolve("Library/Jupyter/kernels"));
    }

    @Test
    void onWindowsItIsTheRoamingFolder() {
        var roaming = "C:\\Users\\Ann\\AppData\\Roaming";
        var windows = new KernelFolders(Map.of("APPDATA", roaming), HOME, "Windows 11");
        assertThat(windows.user())
                .isEqualTo(Path.of(roaming).resolve("jupyter").resolve("kernels"));
        var bare = new KernelFolders(Map.of(), HOME, "Windows 11");
        assertThat(bare.user()).isEqualTo(HOME.resolve(".jupyter/data/kernels"));
    }

    @Test
    void aSystemOfAnotherNameIsTakenForLinux() {
        var bsd = new KernelFolders(Map.of(), HOME, "FreeBSD");
        assertThat(bsd.user()).isEqualTo(HOME.resolve(".local/share/jupyter/kernels"));
    }

    @Test
    void jupytersOwnVariableGoesBeforeTheSystem() {
        assertThat(linux(Map.of("JUPYTER_DATA_DIR", "/j", "XDG_DATA_HOME", "/d")).user())
                .isEqualTo(Path.of("/j/kernels"));
    }

    @Test
    void theActiveEnvironmentIsTaken() {
        var venv = linux(Map.of("VIRTUAL_ENV", environment.toString()));
        assertThat(venv.active(Optional::empty))
                .isEqualTo(environment.resolve("share/jupyter/kernels"));
        var conda = linux(Map.of("CONDA_PREFIX", environment.toString()));
        assertThat(conda.active(Optional::empty))
                .isEqualTo(environment.resolve("share/jupyter/kernels"));
    }

    @Test
    void withoutAnEnvironmentThePythonOnThePathIsAsked() {
        assertThat(linux(Map.of()).active(() -> Optional.of(Path.of("/opt/py"))))
                .isEqualTo(Path.of("/opt/py/share/jupyter/kernels"));
    }

    @Test
    void withoutAnyPythonItIsSaidWhatToDo() {
        assertThatThrownBy(() -> linux(Map.of()).active(Optional::empty))
                .isInstanceOf(NotInstalled.class)
                .hasMessageContainingAll("VIRTUAL_ENV", "--user", "--prefix");
    }

    @Test
    void anEnvironmentThatIsGoneIsNamed() {
        var gone = linux(Map.of("VIRTUAL_ENV", environment.resolve("gone").toString()));
        assertThatThrownBy(() -> gone.active(Optional::empty))
                .hasMessageContainingAll("VIRTUAL_ENV", "gone", "no folder");
    }

    @Test
    void jupyterLooksInItsPathThenTheEnvironmentThenTheUsersThenTheSystems() {
        var folders = linux(Map.of("JUPYTER_PATH", "/a:/b", "VIRTUAL_ENV", "/v")).all();
        assertThat(folders)
                .containsExactly(
                        Path.of("/a/kernels"),
                        Path.of("/b/kernels"),
                        Path.of("/v/share/jupyter/kernels"),
                        HOME.resolve(".local/share/jupyter/kernels"),
                        Path.of("/usr/local/share/jupyter/kernels"),
                        Path.of("/usr/share/jupyter/kernels"));
    }

    @Test
    void onWindowsThePathIsSplitAtSemicolons() {
        var windows =
                new KernelFolders(
                        Map.of("JUPYTER_PATH", "C:\\a;D:\\b", "PROGRAMDATA", "C:\\ProgramData"),
                        HOME,
                        "Windows Server 2022");
        assertThat(windows.all())
                .startsWith(
                        Path.of("C:\\a").resolve("kernels"), Path.of("D:\\b").resolve("kernels"))
                .endsWith(Path.of("C:\\ProgramData").resolve("jupyter").resolve("kernels"));
    }
}
