package org.meshbook.elastic.controller;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.wire.proto.Answer;
import org.meshbook.elastic.wire.proto.CallProgress;
import org.meshbook.elastic.wire.proto.Command;

/// Questions to workers that are answered by one message: probes, reads of host copies, and calls
/// of host functions.
final class Answers {
    private final Operations operations;
    private final Progress progress;
    private final Map<Long, Question> open = new ConcurrentHashMap<>();

    Answers(Operations operations, Progress progress) {
        this.operations = operations;
        this.progress = progress;
    }

    /// One question under way.
    final class Question implements AutoCloseable {
        private final WorkerLink link;
        private final long number;
        private volatile @Nullable Answer answer;
        private volatile long progressBytes;

        private Question(WorkerLink link, long number) {
            this.link = link;
            this.number = number;
        }

        boolean over() {
            return answer != null || link.ended();
        }

        /// @return the answer, if it came
        Optional<Answer> answer() {
            return Optional.ofNullable(answer);
        }

        /// @return bytes that a host function said it has done
        long progressBytes() {
            return progressBytes;
        }

        WorkerLink link() {
            return link;
        }

        @Override
        public void close() {
            open.remove(number);
        }
    }

    interface Asking {
        Command.Builder command(long number);
    }

    Question ask(WorkerLink link, Asking asking) {
        var question = new Question(link, operations.newId());
        open.put(question.number, question);
        link.send(asking.command(question.number));
        return question;
    }

    /// @return whether nothing is asked of some workers
    boolean quiet(Collection<WorkerLink> links) {
        return open.values().stream().noneMatch(question -> links.contains(question.link));
    }

    /// On the link's thread.
    void progressed(CallProgress progress) {
        var question = open.get(progress.getRequest());
        if (question != null) {
            question.progressBytes = progress.getBytes();
        }
    }

    /// On the link's thread.
    void arrived(Answer answer) {
        var question = open.remove(answer.getRequest());
        if (question != null) {
            question.answer = answer;
            progress.signal();
        }
    }
}
