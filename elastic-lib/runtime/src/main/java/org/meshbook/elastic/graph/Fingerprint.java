package org.meshbook.elastic.graph;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.meshbook.elastic.array.Op;

/// Names a graph by its content: equal computations have equal fingerprints in every process.
///
/// SHA-256 over a canonical text, one line a parameter, node and result, with the bytes of literals
/// in between; the graph's name is left out.
public final class Fingerprint {
    private Fingerprint() {}

    /// @param graph a graph
    /// @return 64 hexadecimal digits
    public static String of(Graph graph) {
        var digest = sha256();
        for (var parameter : graph.parameters()) {
            line(digest, "parameter " + parameter);
        }
        for (var node : graph.nodes()) {
            if (node.op() instanceof Op.Constant(var value)) {
                line(digest, "constant " + node.type());
                digest.update(value.bytes());
            } else {
                node.op().bodies().forEach(body -> line(digest, "body " + of(Graph.of(body))));
                line(digest, node.op() + " " + node.inputs());
            }
        }
        line(digest, "results " + graph.results());
        return HexFormat.of().formatHex(digest.digest());
    }

    /// @param parts texts
    /// @return 64 hexadecimal digits that name them all, in order
    public static String of(String... parts) {
        var digest = sha256();
        for (var part : parts) {
            line(digest, part.length() + " " + part);
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static void line(MessageDigest digest, String text) {
        digest.update((text + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
