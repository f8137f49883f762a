package org.meshbook.cluster.kueue;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.meshbook.cluster.AdmissionHook;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.ResourceKind;

/// What Kueue refuses in ResourceFlavors beyond what their schema says.
final class FlavorHook implements AdmissionHook {
    private static final String VALUE = "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?";
    private static final Pattern LABEL = Pattern.compile(VALUE);
    private static final int LONGEST = 63;

    @Override
    public String name() {
        return "resourceflavor.kb.io";
    }

    @Override
    public Set<ResourceKind> kinds() {
        return Set.of(Kinds.RESOURCE_FLAVOR);
    }

    @Override
    public List<String> validate(Review review) {
        return review.object().texts("spec", "nodeLabels").values().stream()
                .flatMap(value -> label(value).stream())
                .toList();
    }

    private static List<String> label(String value) {
        if (value.length() > LONGEST) {
            return List.of(
                    "spec.nodeLabels: Invalid value: \"%s\": must be no more than %d bytes"
                            .formatted(value, LONGEST));
        }
        if (LABEL.matcher(value).matches()) {
            return List.of();
        }
        return List.of(
                ("spec.nodeLabels: Invalid value: \"%s\": a valid label must be an empty string or"
                                + " consist of alphanumeric characters, '-', '_' or '.', and must"
                                + " start and end with an alphanumeric character (e.g. 'MyValue', "
                                + " or 'my_value',  or '12345', regex used for validation is '%s')")
                        .formatted(value, VALUE));
    }
}
