package org.meshbook.kernel.cell;

import java.io.IOException;
import java.util.Optional;
import org.meshbook.kernel.config.Settings;
import org.meshbook.kernel.spi.Comms;
import org.meshbook.kernel.spi.DisplayData;

/// Lets through what a browser can hold. Beyond that the cell goes on, and what it puts out is not
/// shown; it is said once.
///
/// Updates are not counted, as they replace; clearing begins anew.
final class CappedOutput implements CellOutput {
    /// What a picture or a table weighs beside text.
    private static final int LINES_OF_A_DISPLAY = 50;

    private final CellOutput target;
    private final Settings settings;
    private long characters;
    private long lines;
    private boolean full;

    CappedOutput(CellOutput target, Settings settings) {
        this.target = target;
        this.settings = settings;
    }

    @Override
    public void write(Stream stream, String text) {
        switch (admit(text.length(), count(text))) {
            case Admission.Whole _ -> target.write(stream, text);
            case Admission.Cut(var left, var notice) -> {
                target.write(stream, cut(text, left));
                target.write(Stream.STDERR, notice);
            }
            case Admission.None _ -> {}
        }
    }

    /// Something that must be read however full it is, as a warning of ours.
    void always(String line) {
        target.write(Stream.STDERR, line);
    }

    private static String cut(String text, Room left) {
        var end = 0;
        var lines = 0;
        while (end < text.length() && end < left.characters() && lines < left.lines()) {
            lines += text.charAt(end) == '\n' ? 1 : 0;
            end++;
        }
        if (end > 0 && end < text.length() && Character.isHighSurrogate(text.charAt(end - 1))) {
            end--;
        }
        var whole = text.substring(0, end);
        return whole.isEmpty() || whole.endsWith("\n") ? whole : whole + "\n";
    }

    private static int count(String text) {
        var count = 0;
        for (var at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
            count++;
        }
        return count;
    }

    private synchronized Admission admit(long moreCharacters, long moreLines) {
        var left = new Room(settings.outputLimit() - characters, settings.outputLines() - lines);
        var fits =
                left.lines() > 0
                        && moreCharacters <= left.characters()
                        && moreLines <= left.lines();
        if (fits) {
            full = false;
            characters += moreCharacters;
            lines += moreLines;
            return new Admission.Whole();
        }
        if (full) {
            return new Admission.None();
        }
        full = true;
        characters += Math.max(0, Math.min(moreCharacters, left.characters()));
        lines += Math.max(0, Math.min(moreLines, left.lines()));
        return new Admission.Cut(left, notice(left.lines() <= 0 || moreLines > left.lines()));
    }

    private String notice(boolean byLines) {
        var setting = settings.find(byLines ? "output.lines" : "output.limit").orElseThrow();
        return "[output is cut here: the cell has put out %s%s; it goes on, and the rest is not shown; %%config %s=... changes that]%n"
                .formatted(setting.text(), byLines ? " lines" : "", setting.name());
    }

    @Override
    public void display(DisplayData data) {
        switch (admit(0, LINES_OF_A_DISPLAY)) {
            case Admission.Whole _ -> target.display(data);
            case Admission.Cut(_, var notice) -> target.write(Stream.STDERR, notice);
            case Admission.None _ -> {}
        }
    }

    @Override
    public void update(DisplayData data) {
        target.update(data);
    }

    @Override
    public void clear(boolean wait) {
        synchronized (this) {
            characters = 0;
            lines = 0;
            full = false;
        }
        target.clear(wait);
    }

    @Override
    public String ask(String prompt, boolean password) throws IOException, InterruptedException {
        return target.ask(prompt, password);
    }

    @Override
    public boolean replaces() {
        return target.replaces();
    }

    @Override
    public Optional<Comms> comms() {
        return target.comms();
    }

    /// @param characters how many still fit
    /// @param lines how many still fit
    private record Room(long characters, long lines) {}

    private sealed interface Admission {
        record Whole() implements Admission {}

        /// @param left what still fits
        /// @param notice what to say behind it
        record Cut(Room left, String notice) implements Admission {}

        record None() implements Admission {}
    }
}
