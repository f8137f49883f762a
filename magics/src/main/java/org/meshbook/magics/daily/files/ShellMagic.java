package org.meshbook.magics.daily.files;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.lang.model.SourceVersion;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.kernel.spi.MagicException;
import org.meshbook.kernel.spi.Workspace;
import org.meshbook.magics.args.Flag;
import org.meshbook.magics.args.Given;
import org.meshbook.magics.args.Grammar;

/// `%%bash` and `%%sh`, and the same on a line.
///
/// @param name the shell
/// @param environment what `%env` set
record ShellMagic(String name, Environment environment) implements Magic {
    private Grammar grammar() {
        return new Grammar(
                "%" + name,
                List.of("COMMAND"),
                List.of(
                        new Flag("--out", "NAME", "keeps stdout in the variable NAME, a String"),
                        Flag.plain("--no-raise", "an exit code other than 0 is no error")));
    }

    @Override
    public Form form() {
        return Form.LINE_AND_CELL;
    }

    @Override
    public String group() {
        return "files";
    }

    @Override
    public String help() {
        return """
        Runs a script in the shell NAME, in the session's folder.

          %NAME ls -l
          %NAME --out files ls
          %%NAME
          for i in 1 2 3; do echo $i; done

        What it prints appears while it runs. An exit code other than 0 is an error. An interrupt
        ends it and everything that it started. It has nothing to read: its standard input is empty.
        %cd sets its folder, %env its environment; both end with it if it changes them itself.

        """
                        .replace("NAME", name)
                + grammar().usage();
    }

    @Override
    public @Nullable Object run(Call call, Cell cell) throws Exception {
        var leading = grammar().leading(call.arguments());
        var whole = !call.body().isBlank();
        if (whole && !leading.rest().isEmpty()) {
            throw new MagicException(
                    "%%%%%s does not understand '%s' in its line; the script stands below it"
                            .formatted(name, leading.rest()));
        }
        var script = whole ? call.body() : leading.rest();
        if (script.isBlank()) {
            throw new MagicException("%%%s needs a command, as in %%%s ls".formatted(name, name));
        }
        var variable = leading.given().text("--out");
        variable.ifPresent(this::check);
        if (variable.isEmpty()) {
            ended(run(script, cell.out(), cell), leading.given(), cell);
            return null;
        }
        var kept = new Captured();
        var code = run(script, kept, cell);
        Captured.offer(kept.toString(StandardCharsets.UTF_8).stripTrailing());
        var unused =
                cell.evaluate(
                        "String %s = %s.take();"
                                .formatted(variable.get(), Captured.class.getName()));
        ended(code, leading.given(), cell);
        return null;
    }

    private void check(String variable) {
        if (!SourceVersion.isName(variable) || variable.contains(".")) {
            throw new MagicException(
                    "%%%s: '%s' cannot be the name of a variable".formatted(name, variable));
        }
    }

    private int run(String script, OutputStream out, Cell cell)
            throws IOException, InterruptedException {
        var process = new ShellProcess(name, script, environment);
        return process.run(out, cell.err());
    }

    private void ended(int code, Given given, Cell cell) {
        if (code == 0) {
            return;
        }
        var line =
                code > 128 && code < 160
                        ? "%%%s: the script was ended by signal %d (exit code %d)"
                                .formatted(name, code - 128, code)
                        : "%%%s: the script ended with exit code %d".formatted(name, code);
        if (!given.has("--no-raise")) {
            throw new MagicException(line);
        }
        cell.err().println(line);
    }

    @Override
    public List<String> complete(String arguments, int cursor, Workspace workspace) {
        var before = arguments.substring(0, Math.min(cursor, arguments.length()));
        var word = before.substring(before.lastIndexOf(' ') + 1);
        return word.startsWith("-")
                ? grammar().complete(arguments, cursor)
                : Folder.complete(word, _ -> true);
    }

    @Override
    public List<String> complete(String arguments, int cursor) {
        return grammar().complete(arguments, cursor);
    }
}
