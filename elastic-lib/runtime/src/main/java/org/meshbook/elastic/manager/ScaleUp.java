package org.meshbook.elastic.manager;

import java.util.TreeSet;
import org.meshbook.elastic.ElasticException;

/// Ends an attempt so that the next one starts on more slices; thrown by
/// [Attempt#startOverIfAvailable()], caught by the retry.
final class ScaleUp extends ElasticException {
    private static final long serialVersionUID = 1L;

    private final TreeSet<Integer> slices;

    ScaleUp(java.util.Set<Integer> slices) {
        super(
                "the attempt starts over to use "
                        + Words.slices(slices)
                        + "; let this pass through to elasticRetry");
        this.slices = new TreeSet<>(slices);
    }

    TreeSet<Integer> slices() {
        return slices;
    }
}
