package org.meshbook.cluster.lint;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.meshbook.cluster.Profile;
import org.meshbook.cluster.lint.rule.Finding;
import org.meshbook.cluster.lint.rule.Source;

/// What a rule finds, and the same without it: a resource `lint/ID.yaml` of two halves.
///
/// @param id the rule
/// @param bad what it finds
/// @param good what it is silent on
/// @param kueue the release
record Example(String id, String bad, String good, Profile kueue) {
    private static final String HALF = "#### fixed\n";
    private static final String RELEASE = "# kueue: ";

    static Example of(String id) {
        try (var in = Example.class.getResourceAsStream("/lint/" + id + ".yaml")) {
            if (in == null) {
                throw new IllegalStateException("no example lint/" + id + ".yaml");
            }
            var text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            var kueue = Profile.V0_17;
            if (text.startsWith(RELEASE)) {
                var label = text.substring(RELEASE.length(), text.indexOf('\n'));
                kueue = Profile.of(label);
                text = text.substring(text.indexOf('\n') + 1);
            }
            int half = text.indexOf(HALF);
            return new Example(
                    id, text.substring(0, half), text.substring(half + HALF.length()), kueue);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<Finding> findings(String text) {
        return Linter.lint(List.of(Source.read("m.yaml", text)), kueue);
    }
}
