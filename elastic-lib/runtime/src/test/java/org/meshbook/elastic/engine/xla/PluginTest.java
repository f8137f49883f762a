package org.meshbook.elastic.engine.xla;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.engine.Engines;

class PluginTest {
    @TempDir Path data;

    @Test
    void theInstalledOneIsFoundAndANamedOneGoesBefore() throws IOException {
        var installed = data.resolve("meshbook/engines/xla").resolve(Plugin.LIBRARY);
        var home = Map.of("XDG_DATA_HOME", data.toString());
        assertThat(Plugin.find(home)).isEmpty();

        Files.createDirectories(installed.getParent());
        Files.createFile(installed);
        assertThat(Plugin.find(home)).map(Plugin::library).contains(installed);

        var own = Files.createFile(data.resolve("own.so"));
        var both = Map.of("XDG_DATA_HOME", data.toString(), Plugin.VARIABLE, own.toString());
        assertThat(Plugin.find(both)).map(Plugin::library).contains(own);
    }

    @Test
    void aNamedOneThatIsNoFileIsTold() {
        var gone = Map.of(Plugin.VARIABLE, data.resolve("gone.so").toString());
        assertThatThrownBy(() -> Plugin.find(gone))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("gone.so', which is no file")
                .hasMessageContaining(Plugin.VARIABLE);
    }

    @Test
    void onlyWorkersGetTheEngine() {
        assertThat(Engines.available()).contains("xla");
        assertThatThrownBy(() -> Engines.named("xla"))
                .isInstanceOf(UsageError.class)
                .hasMessage(
                        "engine 'xla' runs in workers only, since a fault in it ends the process;"
                                + " start some with it, as in %slices 1 --engine xla");
    }

    @Test
    void whatIsNoPluginIsTold() throws IOException {
        var text = Files.writeString(data.resolve("text.so"), "no library");
        assertThatThrownBy(() -> Api.load(text))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("text.so' cannot be loaded");
    }
}
