package org.meshbook.elastic.chaos;

import java.time.Duration;

/// The head saw a slice go.
///
/// @param elapsed the clock's monotonic time
/// @param slice which
/// @param words one line
record Seen(Duration elapsed, int slice, String words) {}
