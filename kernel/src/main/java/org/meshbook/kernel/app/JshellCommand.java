package org.meshbook.kernel.app;

import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.meshbook.kernel.cell.CellEngines;
import org.meshbook.kernel.embed.Magics;
import org.meshbook.kernel.jshell.JdkTool;
import org.meshbook.kernel.spi.Command;
import org.meshbook.kernel.spi.Extension;

/// The JDK's own `jshell` with Meshbook on its class path and the imports of a cell.
final class JshellCommand implements Command {
    private static final String HELP =
            """
            Usage: meshbook jshell [JSHELL OPTION]... [FILE]...
            the JDK's own jshell, with Meshbook on its class path and the imports of a cell

              Meshbook.start()         starts a session of magics there
              Magics.run("slices 4")   runs a magic
              display(value)           shows a value as a cell would, as text

            Its own options:
            """;

    private final Terminal terminal;

    JshellCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public String name() {
        return "jshell";
    }

    @Override
    public String summary() {
        return "the JDK's own jshell with Meshbook on its class path";
    }

    @Override
    public int run(List<String> arguments) throws Exception {
        if (arguments.contains("--help") || arguments.contains("-h")) {
            terminal.out().print(HELP);
        }
        var extensions =
                ServiceLoader.load(Extension.class).stream()
                        .map(ServiceLoader.Provider::get)
                        .toList();
        // On demand, so that a person's own class of that name goes before it.
        var front = "import " + Magics.class.getPackageName() + ".*;";
        var startup =
                Stream.concat(CellEngines.startup(extensions).stream(), Stream.of(front)).toList();
        return JdkTool.run(arguments, startup, terminal.person());
    }
}
