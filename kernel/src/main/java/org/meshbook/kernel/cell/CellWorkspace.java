package org.meshbook.kernel.cell;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.meshbook.kernel.spi.Workspace;

/// What the cells of one engine have made so far.
final class CellWorkspace implements Workspace {
    @Override
    public List<Variable> variables() {
        throw new UnsupportedOperationException("not built yet");
    }

    @Override
    public List<Declaration> declarations() {
        throw new UnsupportedOperationException("not built yet");
    }

    @Override
    public List<Entry> history() {
        throw new UnsupportedOperationException("not built yet");
    }

    @Override
    public List<Path> classPath() {
        throw new UnsupportedOperationException("not built yet");
    }

    @Override
    public void addToClassPath(List<Path> more) {
        throw new UnsupportedOperationException("not built yet");
    }

    @Override
    public void reset() {
        throw new UnsupportedOperationException("not built yet");
    }

    @Override
    public Optional<String> document(String code) {
        throw new UnsupportedOperationException("not built yet");
    }

    @Override
    public List<String> complete(String fragment) {
        throw new UnsupportedOperationException("not built yet");
    }
}
