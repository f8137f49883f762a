package org.meshbook.kernel.spi;

import java.util.List;

/// One command of the launcher, as `./meshbook doctor`; found by ServiceLoader.
public interface Command {
    /// @return the word that selects it
    String name();

    /// @return one line for `--help`
    String summary();

    /// Runs the command; standard output and standard error are the terminal's.
    ///
    /// @param arguments what stands after the name
    /// @return the process' exit status: 0 done, 1 failed, 2 not understood
    /// @throws Exception what went wrong; shown as one line
    int run(List<String> arguments) throws Exception;
}
