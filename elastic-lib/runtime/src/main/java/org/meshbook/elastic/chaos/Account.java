package org.meshbook.elastic.chaos;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.meshbook.elastic.Interrupted;
import org.meshbook.elastic.chaos.ChaosReport.Outcome;
import org.meshbook.elastic.manager.Recovery;
import org.meshbook.elastic.slices.hosts.HostResults;

/// Puts together what was done and what happened then.
///
/// @param faults in order
/// @param seen ends of slices, in order
/// @param recoveries in order
record Account(List<Struck> faults, List<Seen> seen, List<Recovery> recoveries) {
    ChaosReport report(List<String> armed) {
        var outcomes = new ArrayList<Outcome>();
        for (int i = 0; i < faults.size(); i++) {
            outcomes.add(outcome(faults.get(i), until(i)));
        }
        return new ChaosReport(armed, outcomes);
    }

    /// When the same slice was struck again.
    private Duration until(int index) {
        int slice = faults.get(index).slice();
        return faults.subList(index + 1, faults.size()).stream()
                .filter(later -> later.slice() == slice && later.done())
                .map(Struck::elapsed)
                .findFirst()
                .orElse(Duration.ofSeconds(Long.MAX_VALUE));
    }

    private Outcome outcome(Struck fault, Duration until) {
        if (!fault.done()) {
            return outcome(fault, "held back: " + fault.heldBack(), 0, Duration.ZERO);
        }
        // 1. the first recovery from a loss of that slice that was not over before
        var found =
                IntStream.range(0, recoveries.size())
                        .filter(i -> concerns(recoveries.get(i), fault, until))
                        .findFirst();
        if (found.isPresent()) {
            var recovery = recoveries.get(found.getAsInt());
            return outcome(fault, recovery.cause(), found.getAsInt() + 1, recovery.total());
        }
        // 2. what its hosts say of it
        if (fault.told().isPresent()) {
            return outcome(fault, words(fault, fault.told().get()), 0, Duration.ZERO);
        }
        // 3. a loss while the program did not use the slice, or recovered from another one
        var saw =
                seen.stream()
                        .filter(end -> end.slice() == fault.slice())
                        .filter(end -> end.elapsed().compareTo(fault.elapsed()) >= 0)
                        .filter(end -> end.elapsed().compareTo(until) < 0)
                        .map(end -> end.words() + ", which cost no recovery of its own")
                        .findFirst()
                        .orElse("nothing was lost");
        return outcome(fault, saw, 0, Duration.ZERO);
    }

    /// Which file it was, as far as that is known now.
    private static String words(Struck fault, HostResults told) {
        try {
            if (!told.await(Duration.ZERO)) {
                return told.progressBytes() == 0 ? "not begun yet" : "nothing was written yet";
            }
            var files =
                    told.outcomes().stream()
                            .map(host -> new String(host.value(), UTF_8))
                            .filter(file -> !file.isEmpty())
                            .collect(Collectors.joining(", "));
            var how = fault.kind() == FaultKind.TORN_WRITE ? "cut" : "no room for";
            return files.isEmpty() ? "nothing was written" : how + " half of " + files;
        } catch (InterruptedException e) {
            throw new Interrupted("asking what was written", e);
        }
    }

    private static boolean concerns(Recovery recovery, Struck fault, Duration until) {
        var end = recovery.start().plus(recovery.total());
        return !recovery.growth()
                && recovery.slices().contains(fault.slice())
                && end.compareTo(fault.elapsed()) >= 0
                && recovery.start().compareTo(until) < 0;
    }

    private static Outcome outcome(Struck fault, String saw, int recovery, Duration took) {
        return new Outcome(
                fault.at(), fault.step(), fault.kind(), fault.slice(), saw, recovery, took);
    }
}
