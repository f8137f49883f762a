package org.meshbook.elastic.array;

import static org.meshbook.elastic.UsageError.require;

/// What stands for one dimension in [Indexing#index]: a number, a span, or an array of numbers.
///
/// Numbers and the ends of spans count from the end where they are negative.
public sealed interface Index permits Array, Index.Number, Index.Span {
    /// One element; the dimension is dropped.
    ///
    /// @param at its place
    record Number(int at) implements Index {
        int in(int size, Array x, int dim) {
            require(
                    at >= -size && at < size,
                    "index %d is outside dimension %d of %s",
                    at,
                    dim,
                    x.type());
            return at < 0 ? at + size : at;
        }
    }

    /// Neighbours; the dimension stays.
    ///
    /// @param start place of the first
    /// @param limit place after the last; [Integer#MAX_VALUE] for the dimension's end
    record Span(int start, int limit) implements Index {
        /// Cut to the dimension, as NumPy cuts slices.
        Span in(int size) {
            int from = Math.clamp(start < 0 ? (long) start + size : start, 0, size);
            int to = Math.clamp(limit < 0 ? (long) limit + size : limit, from, size);
            return new Span(from, to);
        }

        int length() {
            return limit - start;
        }
    }

    /// @param i a place; negative counts from the end
    /// @return the element there
    static Index at(int i) {
        return new Number(i);
    }

    /// @param start place of the first; negative counts from the end
    /// @param limit place after the last; negative counts from the end
    /// @return the elements between, as NumPy's `start:limit`
    static Index span(int start, int limit) {
        return new Span(start, limit);
    }

    /// @param start place of the first; negative counts from the end
    /// @return all elements from there, as NumPy's `start:`
    static Index from(int start) {
        return new Span(start, Integer.MAX_VALUE);
    }

    /// @return the whole dimension, as NumPy's `:`
    static Index all() {
        return from(0);
    }
}
