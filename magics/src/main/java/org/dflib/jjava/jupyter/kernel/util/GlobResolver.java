package org.dflib.jjava.jupyter.kernel.util;

/// Known only for the names of its filter, which notebooks cannot reach in JJava either.
final class GlobResolver {
    /// What a pattern names.
    public enum Filter {
        ONLY_DIRECTORIES,
        ANYTHING
    }

    private GlobResolver() {}
}
