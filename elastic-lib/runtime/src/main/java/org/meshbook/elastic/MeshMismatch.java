package org.meshbook.elastic;

/// Shapes, axes or device counts that do not fit together: fix the sizes.
public final class MeshMismatch extends ElasticException {
    private static final long serialVersionUID = 1L;

    /// @param format a format of one line that names both sides of the mismatch
    /// @param facts its arguments
    public MeshMismatch(String format, Object... facts) {
        super(facts.length == 0 ? format : String.format(java.util.Locale.ROOT, format, facts));
    }
}
