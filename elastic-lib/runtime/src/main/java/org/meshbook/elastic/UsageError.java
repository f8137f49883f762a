package org.meshbook.elastic;

/// What was asked cannot be done as asked: fix the cell.
public final class UsageError extends ElasticException {
    private static final long serialVersionUID = 1L;

    /// @param format a format of one line, see [String#format]
    /// @param facts its arguments
    public UsageError(String format, Object... facts) {
        super(facts.length == 0 ? format : String.format(java.util.Locale.ROOT, format, facts));
    }

    /// Throws a [UsageError] unless a condition holds.
    ///
    /// @param condition what must hold
    /// @param format a format of one line
    /// @param facts its arguments
    /// @throws UsageError if `condition` is false
    public static void require(boolean condition, String format, Object... facts) {
        if (!condition) {
            throw new UsageError(format, facts);
        }
    }
}
