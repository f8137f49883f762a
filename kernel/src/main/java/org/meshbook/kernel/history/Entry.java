package org.meshbook.kernel.history;

import java.util.Optional;

/// One cell that was run.
///
/// @param session number of its session
/// @param line its execution count in it
/// @param source its text
/// @param output plain text of its result, if it had one
public record Entry(int session, int line, String source, Optional<String> output) {}
