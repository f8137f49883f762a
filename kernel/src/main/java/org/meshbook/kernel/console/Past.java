package org.meshbook.kernel.console;

import java.util.List;

/// What was run before, here and in other sessions.
public interface Past {
    /// Nothing is kept.
    Past NONE =
            new Past() {
                @Override
                public List<String> cells() {
                    return List.of();
                }

                @Override
                public void started(int number, String code) {}

                @Override
                public void resulted(int number, String text) {}
            };

    /// @return texts of earlier cells, oldest first
    List<String> cells();

    /// @param number of a cell that starts
    /// @param code its text
    void started(int number, String code);

    /// @param number of a cell that has ended
    /// @param text its result
    void resulted(int number, String text);
}
