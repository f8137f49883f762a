package org.meshbook.cluster.manifest;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Fills `${NAME}` in a manifest's text.
///
/// @param text the text, filled
/// @param open names that nobody gave a value, in order; they stand in the text as they were
public record Parameters(String text, List<String> open) {
    /// How a parameter is written.
    public static final Pattern FORM = Pattern.compile("\\$\\{([A-Za-z_][A-Za-z0-9_]*)}");

    public Parameters {
        open = List.copyOf(open);
    }

    /// `$NAME` and `$(NAME)` are left alone: they belong to shells and to Kubernetes. So does a
    /// `${NAME}` without a value, which a shell may mean, too.
    ///
    /// @param text a manifest
    /// @param values name to value
    /// @return the text with every known name filled
    public static Parameters fill(String text, Map<String, String> values) {
        var open = new ArrayList<String>();
        var filled =
                FORM.matcher(text)
                        .replaceAll(
                                found -> {
                                    var name = found.group(1);
                                    var value = values.get(name);
                                    if (value == null && !open.contains(name)) {
                                        open.add(name);
                                    }
                                    return Matcher.quoteReplacement(
                                            value == null ? found.group() : value);
                                });
        return new Parameters(filled, open);
    }
}
