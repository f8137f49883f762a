package org.meshbook.cluster.lint.rule;

/// How bad a finding is.
public enum Severity {
    /// It never works.
    ERROR,
    /// It works otherwise than it reads.
    WARNING,
    /// It is worth knowing.
    INFO;

    /// @return the letter that stands for it: `E`, `W` or `I`
    public String letter() {
        return name().substring(0, 1);
    }
}
