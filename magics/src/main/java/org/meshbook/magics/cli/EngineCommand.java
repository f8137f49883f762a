package org.meshbook.magics.cli;

import java.util.List;
import java.util.Set;
import org.meshbook.elastic.ElasticException;
import org.meshbook.elastic.engine.xla.Plugin;
import org.meshbook.elastic.engine.xla.PluginProbe;
import org.meshbook.kernel.spi.Command;
import org.meshbook.kernel.spi.MagicException;
import org.meshbook.kernel.spi.Nearest;
import org.meshbook.magics.args.Grammar;
import org.meshbook.magics.engine.EngineTable;
import org.meshbook.magics.engine.XlaWheel;

/// Shows the engines and fetches the one that Maven does not bring: exit 0 if it was done, 1 if it
/// cannot be here, 2 if it was asked wrongly.
public final class EngineCommand implements Command {
    private static final Set<String> VERBS = Set.of("list", "install");
    private static final Grammar LIST = new Grammar("engine list", List.of(), List.of());
    private static final Grammar INSTALL =
            new Grammar("engine install", List.of("ENGINE"), List.of());

    @Override
    public String name() {
        return "engine";
    }

    @Override
    public String summary() {
        return "list, install xla: what computes on the devices";
    }

    @Override
    public int run(List<String> arguments) {
        if (arguments.isEmpty() || arguments.contains("--help")) {
            System.out.println(help());
            return arguments.isEmpty() ? 2 : 0;
        }
        try {
            var verb = arguments.getFirst();
            var rest = arguments.subList(1, arguments.size());
            return switch (verb) {
                case "list" -> list(rest);
                case "install" -> install(rest);
                default ->
                        throw new MagicException(
                                "engine %s: not known; there are list and install%s"
                                        .formatted(verb, Nearest.hint(verb, VERBS)));
            };
        } catch (MagicException e) {
            System.err.println("meshbook: " + e.getMessage());
            return 2;
        } catch (ElasticException e) {
            System.err.println("meshbook: " + e.getMessage());
            return 1;
        }
    }

    private static String help() {
        return """
        meshbook engine list          the engines, where each comes from, and what is missing
        meshbook engine install xla   fetches XLA for the CPU

        install runs 'python3 -m pip download %s' (63 MB, Apache-2.0, Linux on x86_64;
        MESHBOOK_PYTHON names another Python), checks its hashes, and puts the plugin into
        %s (XDG_DATA_HOME moves it).
        Then: %%slices 4 --engine xla. %s=FILE uses another PJRT plugin, for a GPU or a
        TPU; set it before the head starts. Compiled programs are kept in ~/.cache/meshbook/xla (XDG_CACHE_HOME),
        at most 256 MB; MESHBOOK_XLA_CACHE names another folder, and 'off' keeps none.\
        """
                .formatted(XlaWheel.PACKAGE, Plugin.folder(), Plugin.VARIABLE);
    }

    private static int list(List<String> arguments) {
        LIST.parse(arguments);
        System.out.println(EngineTable.of(EngineTable.DEFAULT).text());
        System.out.println();
        System.out.println("* unless chosen otherwise, as by %slices 4 --engine xla");
        return 0;
    }

    private static int install(List<String> arguments) {
        var given = INSTALL.parse(arguments);
        var engine = given.word(0).orElse("");
        if (!engine.equals("xla")) {
            throw new MagicException(
                    "engine install %s: only xla is to be fetched; the others come with Meshbook"
                            .formatted(engine));
        }
        System.out.println("fetching " + XlaWheel.PACKAGE + " by pip");
        var library = XlaWheel.ofEnvironment().install();
        var probe = PluginProbe.run(new Plugin(library, "installed"));
        if (!probe.works()) {
            System.err.println(
                    "meshbook: '%s' is there and does not work: %s; engine 'onnx' stays the default"
                            .formatted(library, probe.refusal()));
            return 1;
        }
        System.out.println("installed in " + library.getParent() + ": " + probe.words());
        return 0;
    }
}
