package org.meshbook.elastic.chaos;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.meshbook.elastic.UsageError;

/// What can be done to a slice.
public enum FaultKind {
    /// SIGKILL to every process of the slice.
    KILL(true, "its processes are killed (SIGKILL)"),
    /// SIGSTOP: it hangs, until it is continued or its missed heartbeats end it.
    STOP(true, "its processes hang (SIGSTOP)"),
    /// It is stopped for a share of each tenth of a second.
    SLOW(false, "its processes run only a part of the time"),
    /// No message passes to or from it; sockets stay open.
    PARTITION(true, "its network is cut, sockets stay open"),
    /// One file of a checkpoint is cut in the middle, though each write of it succeeded.
    TORN_WRITE(false, "the next file of a checkpoint that it writes is cut in the middle, unseen"),
    /// Its disk is full.
    FULL_DISK(false, "its disk is full: what it writes of checkpoints fails half-way"),
    /// Its heap overflows.
    OOM(true, "its heap overflows"),
    /// SIGTERM: it says that it leaves, and serves on for its notice.
    NOTICE(true, "it is asked to leave (SIGTERM)");

    private final boolean takesSlice;
    private final String meaning;

    FaultKind(boolean takesSlice, String meaning) {
        this.takesSlice = takesSlice;
        this.meaning = meaning;
    }

    /// @param word as a person types it
    /// @return the kind
    /// @throws UsageError if there is none of that name
    public static FaultKind named(String word) {
        return Arrays.stream(values())
                .filter(kind -> kind.word().equals(word))
                .findFirst()
                .orElseThrow(
                        () ->
                                new UsageError(
                                        "no fault is named '%s'; there are %s",
                                        word, String.join(", ", words())));
    }

    /// @return the words of all kinds
    public static List<String> words() {
        return Arrays.stream(values()).map(FaultKind::word).toList();
    }

    /// @return the word in commands and tables
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// @return what it does, in a few words
    public String meaning() {
        return meaning;
    }

    /// Whether the slice may be lost by it.
    boolean takesSlice() {
        return takesSlice;
    }
}
