package org.meshbook.elastic.head;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.List;
import org.meshbook.elastic.wire.RuntimeFolder;
import org.meshbook.elastic.wire.SessionFile;

/// The head's notes of its sessions in the runtime folder. On the head's thread only.
final class SessionFiles {
    private static final System.Logger LOG = System.getLogger(SessionFiles.class.getName());
    private static final int REMEMBERED = 20;

    private final RuntimeFolder folder;
    private int last;

    /// Takes over what an earlier head left: its sessions went with it.
    SessionFiles(RuntimeFolder folder) {
        this.folder = folder;
        var all = SessionFile.all(folder);
        all.forEach(file -> last = Math.max(last, file.number()));
        all.stream()
                .filter(file -> !file.isOver())
                .map(
                        file ->
                                file.ended(
                                        SessionFile.State.CLOSED,
                                        "its head (pid %d) was killed".formatted(file.head()),
                                        Instant.now()))
                .forEach(this::write);
        forget(all);
    }

    /// @return a number that no session in this folder had
    int next() {
        return ++last;
    }

    void note(Lease lease) {
        write(lease.file());
    }

    void ended(Lease lease, SessionFile.State how, String why) {
        write(lease.file().ended(how, why, Instant.now()));
        forget(SessionFile.all(folder));
    }

    private void write(SessionFile file) {
        try {
            file.write(folder);
        } catch (IOException e) {
            LOG.log(Level.WARNING, "session={0} cannot be written down: {1}", file.id(), e);
        }
    }

    private void forget(List<SessionFile> all) {
        var over = all.stream().filter(SessionFile::isOver).toList();
        for (var file : over.subList(0, Math.max(0, over.size() - REMEMBERED))) {
            try {
                file.remove(folder);
            } catch (IOException e) {
                LOG.log(Level.DEBUG, "an old session file stays", e);
            }
        }
    }
}
