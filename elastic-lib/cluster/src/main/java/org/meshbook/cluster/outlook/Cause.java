package org.meshbook.cluster.outlook;

/// One cause, and what to know of it.
///
/// @param code which cause
/// @param text a line
public record Cause(Code code, String text) {}
