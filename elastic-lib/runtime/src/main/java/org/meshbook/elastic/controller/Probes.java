package org.meshbook.elastic.controller;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.meshbook.elastic.slices.Health;
import org.meshbook.elastic.wire.proto.Command;
import org.meshbook.elastic.wire.proto.Probe;

/// Health probes: 99 + 1 on every device, asked of all slices first, then awaited.
final class Probes {
    private static final System.Logger LOG = System.getLogger(Probes.class.getName());
    private static final float EXPECTED = 100;

    private final Fleet fleet;
    private final Answers answers;
    private final Progress progress;

    Probes(Fleet fleet, Answers answers, Progress progress) {
        this.fleet = fleet;
        this.answers = answers;
        this.progress = progress;
    }

    Map<Integer, Health> probe(Set<Integer> slices, Duration timeout) throws InterruptedException {
        // 1. ask all
        var asked = new TreeMap<Integer, List<Answers.Question>>();
        for (int slice : slices) {
            asked.put(slice, ask(slice));
        }
        // 2. wait for all; so it costs the slowest, not the sum
        try {
            progress.await(
                    timeout,
                    () ->
                            asked.values().stream()
                                    .allMatch(
                                            questions ->
                                                    questions.stream()
                                                            .allMatch(Answers.Question::over)));
            // 3. judge each
            var health = new TreeMap<Integer, Health>();
            asked.forEach((slice, questions) -> health.put(slice, judge(slice, questions)));
            return health;
        } finally {
            asked.values().forEach(questions -> questions.forEach(Answers.Question::close));
        }
    }

    /// @return one question a host; none if the slice cannot even be asked
    private List<Answers.Question> ask(int slice) {
        var questions = new ArrayList<Answers.Question>();
        try {
            for (var link : fleet.links(slice)) {
                questions.add(answers.ask(link, Probes::command));
            }
            return questions;
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.WARNING, "slice=" + slice + " cannot be probed", e);
            questions.forEach(Answers.Question::close);
            return List.of();
        }
    }

    private static Command.Builder command(long number) {
        return Command.newBuilder().setProbe(Probe.newBuilder().setRequest(number));
    }

    private static Health judge(int slice, List<Answers.Question> questions) {
        var health = questions.isEmpty() ? Health.UNREACHABLE : Health.HEALTHY;
        for (var question : questions) {
            var found = judge(slice, question);
            // The worst of its hosts is what the slice is.
            health = found.ordinal() > health.ordinal() ? found : health;
        }
        return health;
    }

    private static Health judge(int slice, Answers.Question question) {
        if (question.answer().isEmpty()) {
            return question.link().ended() ? Health.UNREACHABLE : Health.HUNG;
        }
        var answer = question.answer().get();
        if (answer.hasFault()) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "slice={0} probe failed: {1}",
                    slice,
                    answer.getFault().getMessage());
            return Health.UNREACHABLE;
        }
        boolean right =
                answer.getValuesCount() == question.link().address().devices()
                        && answer.getValuesList().stream().allMatch(v -> v == EXPECTED);
        if (!right) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "slice={0} probe wants {1}, got {2}",
                    slice,
                    EXPECTED,
                    answer.getValuesList());
        }
        return right ? Health.HEALTHY : Health.SUSPECT_SDC;
    }
}
