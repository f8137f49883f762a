package org.meshbook.elastic.chaos;

import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.chaos.Schedule.Entry;
import org.meshbook.elastic.manager.ElasticEvent;

/// A plan, and what it waits for; immutable.
record Armed(ChaosPlan plan, Trigger trigger) {
    private static final int SHOWN = 4;

    /// What a plan waits for.
    sealed interface Trigger {}

    /// A completed step.
    record AtStep(Entry entry) implements Trigger {}

    /// The entries of a schedule from one on.
    record Every(Schedule schedule, int next) implements Trigger {}

    /// An event.
    record When(Entry entry, Predicate<? super ElasticEvent> event) implements Trigger {}

    /// What a step or an event sets off.
    ///
    /// @param entry the fault
    /// @param rest what stays armed; null if nothing
    record Due(Entry entry, @Nullable Armed rest) {}

    /// @param first the step that its run completed first
    /// @param step the step completed now
    Optional<Due> at(long first, long step) {
        return switch (trigger) {
            case AtStep(var entry) ->
                    step < entry.step() ? Optional.empty() : Optional.of(new Due(entry, null));
            case Every(var schedule, var next) -> at(first, step, schedule, next);
            case When _ -> Optional.empty();
        };
    }

    /// A run that begins in the middle has passed the entries before; one that completes many steps
    /// at once has not.
    private Optional<Due> at(long first, long step, Schedule schedule, int from) {
        int next = from;
        while (next < Schedule.MOST && schedule.at(next).step() < first) {
            next++;
        }
        if (next == Schedule.MOST || schedule.at(next).step() > step) {
            return Optional.empty();
        }
        var rest = new Armed(plan, new Every(schedule, next + 1));
        return Optional.of(new Due(schedule.at(next), rest));
    }

    @Override
    public String toString() {
        return switch (trigger) {
            case AtStep(var entry) -> entry.toString();
            case When(var entry, _) ->
                    "%s slice %d at an event".formatted(entry.kind().word(), entry.slice());
            case Every(var schedule, var next) ->
                    "%s every=%d seed=%d: %s, …"
                            .formatted(
                                    plan.words(),
                                    schedule.every(),
                                    schedule.seed(),
                                    IntStream.range(next, next + SHOWN)
                                            .mapToObj(schedule::at)
                                            .map(Entry::toString)
                                            .collect(Collectors.joining(", ")));
        };
    }
}
