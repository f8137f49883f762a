package org.meshbook.magics.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.engine.xla.Plugin;

/// With a shell script in the place of Python, which gets what pip would be asked for.
@EnabledOnOs(value = OS.LINUX, architectures = "amd64")
class XlaWheelTest {
    private static final String LIBRARY = "the library";
    private static final String WHEEL_HASH = "0123abcd";

    @TempDir Path base;
    private Path folder;

    @BeforeEach
    void writeWheel() throws IOException {
        folder = base.resolve("data/engines/xla");
        try (var zip = new ZipOutputStream(Files.newOutputStream(base.resolve("a.whl")))) {
            put(zip, "lammps_jax_pjrt_cpu/" + Plugin.LIBRARY, LIBRARY);
            var licences = "lammps_jax_pjrt_cpu-0.11.2.dist-info/licenses/";
            put(zip, licences + "LICENSE", "the licence");
            put(zip, licences + "THIRD_PARTY_NOTICES", "the notices");
        }
    }

    private static void put(ZipOutputStream zip, String name, String text) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(text.getBytes(StandardCharsets.UTF_8));
    }

    private String python(String script) throws IOException {
        var file = Files.writeString(base.resolve("python"), "#!/bin/sh\n" + script);
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return file.toString();
    }

    /// A pip that brings the wheel into the folder that is named last, and keeps what it was told.
    private String pip() throws IOException {
        return python(
                """
                echo "$@" > %1$s/arguments
                for word in "$@"; do
                    [ "$before" != -r ] || cp "$word" %1$s/requirements
                    [ "$before" != -d ] || cp %1$s/a.whl "$word/"
                    before=$word
                done
                """
                        .formatted(base));
    }

    private static String sha256(String text) throws Exception {
        var digest = MessageDigest.getInstance("SHA-256");
        return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void pipFetchesByHashAndThePluginLiesBesideItsLicences() throws Exception {
        var library = new XlaWheel(pip(), folder, WHEEL_HASH, sha256(LIBRARY)).install();

        assertThat(library).isEqualTo(folder.resolve(Plugin.LIBRARY)).hasContent(LIBRARY);
        assertThat(folder.resolve("LICENSE")).hasContent("the licence");
        assertThat(folder.resolve("THIRD_PARTY_NOTICES")).hasContent("the notices");
        assertThat(base.resolve("arguments"))
                .content()
                .startsWith("-m pip download")
                .contains("--require-hashes", "--no-deps");
        assertThat(base.resolve("requirements"))
                .hasContent("lammps-jax-pjrt-cpu==0.11.2 --hash=sha256:" + WHEEL_HASH);
        assertThat(base.resolve("data/engines").toFile().list()).containsExactly("xla");
    }

    @Test
    void anotherLibraryIsThrownAwayAndTheOldOneStays() throws Exception {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve(Plugin.LIBRARY), "the old one");
        var wheel = new XlaWheel(pip(), folder, WHEEL_HASH, sha256("another"));

        assertThatThrownBy(wheel::install)
                .isInstanceOf(UsageError.class)
                .hasMessageContaining(sha256(LIBRARY))
                .hasMessageContaining("not the one that was tried");
        assertThat(folder.resolve(Plugin.LIBRARY)).hasContent("the old one");
        assertThat(base.resolve("data/engines").toFile().list()).containsExactly("xla");
    }

    @Test
    void whatPipSaysIsTheReason() throws Exception {
        var failing =
                python(
                        """
                        echo 'ERROR: Could not find a version'
                        echo 'ERROR: No matching distribution found'
                        echo '[notice] a new release of pip'
                        exit 1
                        """);
        assertThatThrownBy(new XlaWheel(failing, folder, WHEEL_HASH, "")::install)
                .isInstanceOf(UsageError.class)
                .hasMessage(
                        "pip cannot fetch lammps-jax-pjrt-cpu==0.11.2: ERROR: No matching"
                                + " distribution found");
    }

    @Test
    void withoutPythonTheLineSaysWhatToInstall() {
        var none = base.resolve("no-python").toString();
        assertThatThrownBy(new XlaWheel(none, folder, WHEEL_HASH, "")::install)
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("install Python 3 with pip");
    }

    @Test
    void otherMachinesAreToldWhatWorksThere() {
        assertThatThrownBy(() -> XlaWheel.requireMachine("Mac OS X", "aarch64"))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("this is Mac OS X on aarch64")
                .hasMessageContaining(Plugin.VARIABLE);
    }
}
