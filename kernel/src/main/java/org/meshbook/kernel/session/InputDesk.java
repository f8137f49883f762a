package org.meshbook.kernel.session;

import static java.lang.System.Logger.Level.DEBUG;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.meshbook.kernel.protocol.Header;
import org.meshbook.kernel.protocol.Publication;

/// Questions to the user: one at a time in each shell, each waits for its answer. Thread-safe.
///
/// An answer that names its question, as JupyterLab's do, goes to that one; one that names a
/// question which was interrupted goes nowhere. Others, as those of jupyter_client, go to the
/// oldest question of the shell that they name, else of their front end, else of all.
final class InputDesk {
    private static final System.Logger LOG = System.getLogger(InputDesk.class.getName());
    private static final int REMEMBERED = 100;

    private final Outbox outbox;
    private final Map<String, ReentrantLock> shells = new ConcurrentHashMap<>();
    private final List<Question> open = new CopyOnWriteArrayList<>();
    private final ArrayDeque<String> over = new ArrayDeque<>();

    private record Question(String id, Parent parent, ArrayBlockingQueue<String> answer) {}

    InputDesk(Outbox outbox) {
        this.outbox = outbox;
    }

    /// @return what was typed
    String ask(Parent parent, Publication.InputRequest request) throws InterruptedException {
        var shell = parent.header().subshell().orElse("");
        var asking = shells.computeIfAbsent(shell, _ -> new ReentrantLock());
        asking.lockInterruptibly();
        try {
            var header = outbox.header(parent, request);
            var question = new Question(header.id(), parent, new ArrayBlockingQueue<>(1));
            open.add(question);
            try {
                outbox.ask(parent, header, request);
                return question.answer().take();
            } finally {
                end(question);
            }
        } finally {
            asking.unlock();
        }
    }

    /// @param header of the answer
    /// @param named the question that it names
    void answered(Header header, Optional<String> named, String value) {
        var question = find(header, named);
        if (question.isEmpty() || !question.get().answer().offer(value)) {
            LOG.log(DEBUG, "an answer to no open question was dropped");
        }
    }

    private Optional<Question> find(Header header, Optional<String> named) {
        if (named.isPresent()) {
            var id = named.get();
            var exact = first(q -> q.id().equals(id) || q.parent().header().id().equals(id));
            if (exact.isPresent() || isOver(id)) {
                return exact;
            }
        }
        var shell = header.subshell();
        if (shell.isPresent()) {
            return first(q -> q.parent().header().subshell().equals(shell));
        }
        return first(q -> q.parent().header().session().equals(header.session()))
                .or(() -> first(_ -> true));
    }

    private Optional<Question> first(Predicate<Question> wanted) {
        return open.stream().filter(wanted).findFirst();
    }

    private void end(Question question) {
        open.remove(question);
        synchronized (over) {
            over.add(question.id());
            if (over.size() > REMEMBERED) {
                over.remove();
            }
        }
    }

    private boolean isOver(String id) {
        synchronized (over) {
            return over.contains(id);
        }
    }
}
