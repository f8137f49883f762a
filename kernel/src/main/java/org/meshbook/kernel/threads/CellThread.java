package org.meshbook.kernel.threads;

/// One living thread of a cell.
///
/// @param thread itself
/// @param cell number of the cell that started it; 0 if that is not known
/// @param leftBehind whether it is a cell's own thread that an interrupt could not stop
record CellThread(Thread thread, int cell, boolean leftBehind) {}
