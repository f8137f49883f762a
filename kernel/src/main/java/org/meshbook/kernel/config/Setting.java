package org.meshbook.kernel.config;

import org.meshbook.kernel.spi.MagicException;

/// One thing that a person can set. Read and written on any thread.
///
/// @param <T> type of its value
public final class Setting<T> {
    private final String name;
    private final String meaning;
    private final Kind<T> kind;
    private final T standard;
    private volatile T value;

    Setting(String name, String meaning, Kind<T> kind, T standard) {
        this.name = name;
        this.meaning = meaning;
        this.kind = kind;
        this.standard = standard;
        value = standard;
    }

    /// @return its name, as `cell.timeout`
    public String name() {
        return name;
    }

    /// @return what it is good for, one line
    public String meaning() {
        return meaning;
    }

    /// @return what holds now
    public T value() {
        return value;
    }

    /// @return what holds now, as a person would type it
    public String text() {
        return kind.text(value);
    }

    /// @return what holds when nothing is set, as a person would type it
    public String standard() {
        return kind.text(standard);
    }

    /// @return values that a person may type, for completion
    public java.util.List<String> examples() {
        return kind.examples();
    }

    /// @param typed a value, or `default`
    /// @throws MagicException if it is no value of this setting; nothing changes then
    public void set(String typed) {
        if (typed.equals("default")) {
            value = standard;
            return;
        }
        value =
                kind.parse(typed)
                        .orElseThrow(
                                () ->
                                        new MagicException(
                                                "%s is %s, found \"%s\"; for example %%config %s=%s"
                                                        .formatted(
                                                                name,
                                                                kind.words(),
                                                                typed,
                                                                name,
                                                                kind.examples().getFirst())));
    }
}
