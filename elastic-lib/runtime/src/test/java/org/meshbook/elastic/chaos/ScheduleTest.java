package org.meshbook.elastic.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.chaos.Schedule.Entry;
import org.meshbook.elastic.manager.Manager;
import org.meshbook.elastic.sim.Simulation;

class ScheduleTest {
    private static final List<FaultKind> KINDS = List.of(FaultKind.KILL, FaultKind.NOTICE);

    private static List<Entry> entries(long seed) {
        var schedule = new Schedule(seed, KINDS, List.of(0, 1, 2), 50);
        return IntStream.range(0, 100).mapToObj(schedule::at).toList();
    }

    @Test
    void isAFunctionOfItsSeed() {
        assertThat(entries(7)).isEqualTo(entries(7)).isNotEqualTo(entries(8));
    }

    @Test
    void hasOneFaultInEachStretch() {
        var entries = entries(3);
        for (int i = 0; i < entries.size(); i++) {
            assertThat(entries.get(i).step()).isBetween(50L * i + 1, 50L * i + 50);
        }
    }

    @Test
    void choosesEveryKindAndSlice() {
        var seen = new HashSet<String>();
        entries(1).forEach(entry -> seen.add(entry.kind() + " " + entry.slice()));
        assertThat(seen).hasSize(6);
    }

    /// What a run does that completes every so many steps.
    private static List<Entry> struck(Schedule schedule, long from, long by, long to) {
        var plan = Chaos.on(new Manager(Simulation.of(3, 1))).any(FaultKind.KILL);
        var armed = Optional.of(new Armed(plan, new Armed.Every(schedule, 0)));
        var struck = new ArrayList<Entry>();
        for (long step = from; step <= to; step += by) {
            var due = armed.orElseThrow().at(from, step);
            due.ifPresent(each -> struck.add(each.entry()));
            armed = due.isPresent() ? Optional.ofNullable(due.get().rest()) : armed;
        }
        return struck;
    }

    @Test
    void aRunThatCompletesManyStepsAtOnceMissesNoFault() {
        var schedule = new Schedule(3, KINDS, List.of(0, 1, 2), 50);
        assertThat(struck(schedule, 0, 100, 1_000))
                .containsExactlyElementsOf(entries(3).subList(0, 10));
    }

    @Test
    void aRunThatBeginsInTheMiddleHasPassedTheFaultsBefore() {
        var schedule = new Schedule(3, KINDS, List.of(0, 1, 2), 50);
        assertThat(struck(schedule, 301, 1, 700))
                .containsExactlyElementsOf(entries(3).subList(6, 14));
    }

    @Test
    void unknownFaultNamesThoseThatThereAre() {
        assertThatThrownBy(() -> FaultKind.named("kil"))
                .isInstanceOf(UsageError.class)
                .hasMessageStartingWith("no fault is named 'kil'; there are kill, stop,")
                .hasMessageContaining("torn-write, full-disk");
    }
}
