package org.meshbook.elastic.chaos;

import static org.meshbook.elastic.UsageError.require;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.meshbook.elastic.chaos.Schedule.Entry;
import org.meshbook.elastic.manager.ElasticEvent;

/// A fault that is not armed yet; immutable, each method yields a changed copy until one says when.
///
/// @param chaos whom it belongs to
/// @param kinds one of them is done, chosen by the seed if there are several
/// @param slice to which slice; chosen by the seed if it is not given
/// @param lasting how long a hang, a slow-down or a cut lasts
/// @param share of the time that a slow slice is stopped, above 0 and below 1
/// @param seed of what is chosen
/// @param sparing whether it is held back where it would leave fewer slices than the run needs
public record ChaosPlan(
        Chaos chaos,
        List<FaultKind> kinds,
        OptionalInt slice,
        Optional<Duration> lasting,
        double share,
        long seed,
        boolean sparing) {
    private static final double HALF = 0.5;
    private static final double MOST = 0.95;
    private static final Duration LONGEST = Duration.ofHours(1);

    public ChaosPlan {
        kinds = List.copyOf(kinds);
        require(!kinds.isEmpty(), "no kind of fault; name one of %s", FaultKind.words());
        require(
                slice.isEmpty() || chaos.slices().contains(slice.getAsInt()),
                "no slice %d to disturb; there are %s",
                slice.orElse(-1),
                chaos.slices());
        require(
                lasting.isEmpty()
                        || lasting.get().isPositive() && lasting.get().compareTo(LONGEST) <= 0,
                "a fault for %s; give a time up to %s",
                lasting.orElse(Duration.ZERO),
                LONGEST);
        require(
                share > 0 && share <= MOST,
                "a slow slice that is stopped for a share of %s; give one up to %s",
                share,
                MOST);
    }

    static ChaosPlan of(Chaos chaos, List<FaultKind> kinds) {
        return new ChaosPlan(chaos, kinds, OptionalInt.empty(), Optional.empty(), HALF, 1, true);
    }

    /// @param index which slice
    /// @return the changed copy
    public ChaosPlan slice(int index) {
        return new ChaosPlan(chaos, kinds, OptionalInt.of(index), lasting, share, seed, sparing);
    }

    /// @param time how long a hang, a slow-down or a cut lasts
    /// @return the changed copy
    public ChaosPlan lasting(Duration time) {
        return new ChaosPlan(chaos, kinds, slice, Optional.of(time), share, seed, sparing);
    }

    /// @param stopped share of the time that a slow slice is stopped
    /// @return the changed copy
    public ChaosPlan share(double stopped) {
        return new ChaosPlan(chaos, kinds, slice, lasting, stopped, seed, sparing);
    }

    /// @param chosen of what is chosen
    /// @return the changed copy
    public ChaosPlan seed(long chosen) {
        return new ChaosPlan(chaos, kinds, slice, lasting, share, chosen, sparing);
    }

    /// Does it also where fewer slices are left than the run needs.
    ///
    /// @return the changed copy
    public ChaosPlan anyway() {
        return new ChaosPlan(chaos, kinds, slice, lasting, share, seed, false);
    }

    /// Does it now.
    ///
    /// @return what there is to report
    public ChaosReport now() {
        return chaos.strike(this, schedule(1).at(0));
    }

    /// Does it when a step is done, of the run under way or of the next one.
    ///
    /// @param step its number
    /// @return what there is to report
    public ChaosReport atStep(long step) {
        require(step >= 0, "a fault at step %d; steps start at 0", step);
        var chosen = schedule(1).at(0);
        return chaos.arm(this, new Armed.AtStep(new Entry(step, chosen.kind(), chosen.slice())));
    }

    /// Does one in each stretch of so many steps, until the run ends; step, slice and kind follow
    /// from the seed alone.
    ///
    /// @param steps length of a stretch
    /// @return what there is to report
    public ChaosReport every(long steps) {
        return chaos.arm(this, new Armed.Every(schedule(steps), 0));
    }

    /// Does it once, when something happens to the slices or to the program: for a loss in the
    /// middle of a restore or of a growth.
    ///
    /// @param event tested on the thread that brings it; must be quick
    /// @return what there is to report
    public ChaosReport when(Predicate<? super ElasticEvent> event) {
        return chaos.arm(this, new Armed.When(schedule(1).at(0), event));
    }

    private Schedule schedule(long every) {
        return new Schedule(
                seed, kinds, slice.isPresent() ? List.of(slice.getAsInt()) : chaos.slices(), every);
    }

    /// What `%chaos` is given to arm it again.
    String words() {
        var words = kinds.stream().map(FaultKind::word).collect(Collectors.joining(","));
        return words + (slice.isPresent() ? " slice=" + slice.getAsInt() : "");
    }
}
