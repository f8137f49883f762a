package org.meshbook.elastic.slices;

/// One host of a slice: one worker process.
///
/// @param pid process id; 0 while none runs
/// @param devices number of its devices
/// @param memoryBytes resident memory that it last reported; 0 if unknown
public record HostView(long pid, int devices, long memoryBytes) {}
