package org.dflib.jjava.jupyter.kernel.util;

import java.util.ArrayList;
import java.util.List;

/// Tells characters apart.
public interface CharPredicate {
    boolean test(char c);

    static CharPredicate anyOf(String characters) {
        return c -> characters.indexOf(c) >= 0;
    }

    static Builder builder() {
        return new Builder();
    }

    /// Gathers ranges and characters.
    class Builder {
        private final List<CharPredicate> parts = new ArrayList<>();

        public Builder inRange(char low, char high) {
            parts.add(c -> low <= c && c <= high);
            return this;
        }

        public Builder match(char wanted) {
            parts.add(c -> c == wanted);
            return this;
        }

        public Builder match(String characters) {
            parts.add(anyOf(characters));
            return this;
        }

        public CharPredicate build() {
            var all = List.copyOf(parts);
            return c -> all.stream().anyMatch(part -> part.test(c));
        }
    }
}
