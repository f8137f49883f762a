package org.meshbook.elastic.manager;

import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.meshbook.elastic.ElasticException;

/// Too few slices answered in time: wait longer or ask for less.
public final class CapacityTimeout extends ElasticException {
    private static final long serialVersionUID = 1L;

    private final int wanted;
    private final TreeSet<Integer> found;
    private final TreeMap<Integer, Duration> missing;
    private final Duration elapsed;

    CapacityTimeout(
            int wanted, Set<Integer> found, Map<Integer, Duration> missing, Duration elapsed) {
        super(
                "wanted %d slices within %s, %s; %s; see %%slices"
                        .formatted(
                                wanted,
                                Words.time(elapsed),
                                Words.answer(found),
                                Words.lastSeen(missing)));
        this.wanted = wanted;
        this.found = new TreeSet<>(found);
        this.missing = new TreeMap<>(missing);
        this.elapsed = elapsed;
    }

    /// @return how many slices were wanted
    public int wanted() {
        return wanted;
    }

    /// @return those that answered, ascending
    public Set<Integer> found() {
        return Collections.unmodifiableSet(found);
    }

    /// @return those that did not, each with the time since it was last healthy
    public Map<Integer, Duration> missing() {
        return Collections.unmodifiableMap(missing);
    }

    /// @return how long was waited
    public Duration elapsed() {
        return elapsed;
    }
}
