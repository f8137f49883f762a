package org.meshbook.elastic.checkpoint;

import java.time.Instant;
import org.meshbook.elastic.checkpoint.unit.Unit;
import org.meshbook.elastic.slices.HostCopy;

/// One complete snapshot as it is handed from the program that made it to the one that comes after
/// it.
///
/// @param step the step that it was saved after
/// @param at when it was complete
/// @param unit the state without its device arrays
/// @param copy the device arrays
public record Kept(long step, Instant at, Unit unit, HostCopy copy) {}
