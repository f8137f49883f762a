package org.meshbook.kernel.cell;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.meshbook.kernel.jshell.Answers;
import org.meshbook.kernel.jshell.Completer;
import org.meshbook.kernel.jshell.Shell;
import org.meshbook.kernel.spi.Extension;
import org.meshbook.kernel.spi.Workspace;

/// What the cells of one engine have made so far: asked of its shell, but for the history.
final class CellWorkspace implements Workspace {
    private final Startup startup;
    private final PastCells past;
    private final KeptResults results;
    private final Growth growth;

    /// Takes up what comes while cells are run.
    interface Growth {
        void activate(Extension extension);

        /// Something was added to the class path.
        void grown();
    }

    CellWorkspace(Startup startup, PastCells past, KeptResults results, Growth growth) {
        this.startup = startup;
        this.past = past;
        this.results = results;
        this.growth = growth;
    }

    private Shell shell() {
        return startup.shell();
    }

    @Override
    public List<Variable> variables() {
        return shell().variables();
    }

    @Override
    public List<Declaration> declarations() {
        return shell().declarations();
    }

    @Override
    public List<Entry> history() {
        return past.entries();
    }

    @Override
    public List<Path> classPath() {
        return shell().classPath();
    }

    @Override
    public void addToClassPath(List<Path> more) {
        shell().addToClassPath(more);
        growth.grown();
    }

    @Override
    public void activate(Extension extension) {
        growth.activate(extension);
    }

    @Override
    public void reset() {
        shell().reset();
        results.clear();
    }

    @Override
    public Optional<String> document(String code) {
        return new Answers(shell())
                .document(code, code.length(), true)
                .map(Answers.Documented::text);
    }

    @Override
    public List<String> complete(String fragment) {
        var found = new Completer(shell()).complete(fragment, fragment.length());
        var word = fragment.length();
        while (word > 0 && !Character.isWhitespace(fragment.charAt(word - 1))) {
            word--;
        }
        var kept = fragment.substring(Math.min(word, found.start()), found.start());
        return found.matches().stream().map(match -> kept + match.text()).toList();
    }
}
