package org.meshbook.magics.daily.files;

import java.util.List;
import org.meshbook.kernel.spi.Magic;

/// The magics of this room.
public final class FileMagics {
    private FileMagics() {}

    /// @return the magics, which share one environment
    public static List<Magic> magics() {
        var environment = new Environment();
        return List.of(
                FolderMagics.cd(),
                FolderMagics.pwd(),
                new EnvMagic(environment),
                WriteFileMagic.of(),
                new ShellMagic("bash", environment),
                new ShellMagic("sh", environment));
    }
}
