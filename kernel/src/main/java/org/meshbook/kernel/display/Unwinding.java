package org.meshbook.kernel.display;

/// Marks what is thrown to end code that was stopped, so that a value's own code that was stopped
/// is not told as a failure of its.
public interface Unwinding {}
