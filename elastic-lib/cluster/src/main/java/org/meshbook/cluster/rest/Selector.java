package org.meshbook.cluster.rest;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.Resource;

/// Which objects of a collection are meant: by labels as in `app=a,tier!=b,env in (x,y),!old`, and
/// by fields as in `metadata.name=a,status.phase!=Running`.
final class Selector {
    private static final Pattern SET =
            Pattern.compile("\\s*(\\S+)\\s+(in|notin)\\s+\\(([^)]*)\\)\\s*");
    private static final Pattern EQUAL =
            Pattern.compile("\\s*([^=!\\s]+)\\s*(==|=|!=)\\s*([^=\\s]*)\\s*");
    private static final Pattern COMMA = Pattern.compile(",(?![^(]*\\))");

    private Selector() {}

    /// @param text a label selector, `""` for all
    /// @return whether an object is meant
    static Predicate<Resource> labels(String text) {
        return all(text, Selector::label);
    }

    /// @param text a field selector, `""` for all
    /// @return whether an object is meant
    static Predicate<Resource> fields(String text) {
        return all(text, Selector::field);
    }

    private interface Reader {
        Predicate<Resource> read(String requirement);
    }

    private static Predicate<Resource> all(String text, Reader reader) {
        var requirements = new ArrayList<Predicate<Resource>>();
        for (var requirement : COMMA.split(text)) {
            if (!requirement.isBlank()) {
                requirements.add(reader.read(requirement));
            }
        }
        return object -> requirements.stream().allMatch(each -> each.test(object));
    }

    private static Predicate<Resource> label(String requirement) {
        var set = SET.matcher(requirement);
        if (set.matches()) {
            var key = set.group(1);
            var values = Arrays.stream(set.group(3).split(",")).map(String::strip).toList();
            boolean within = set.group(2).equals("in");
            return object ->
                    within
                            == (object.labels().containsKey(key)
                                    && values.contains(object.labels().get(key)));
        }
        var equal = EQUAL.matcher(requirement);
        if (equal.matches()) {
            var key = equal.group(1);
            var value = equal.group(3);
            boolean wanted = !equal.group(2).equals("!=");
            return object -> wanted == value.equals(object.labels().get(key));
        }
        var key = requirement.strip();
        if (key.startsWith("!")) {
            return object -> !object.labels().containsKey(key.substring(1).strip());
        }
        if (key.contains(" ") || key.contains("(")) {
            throw unreadable(requirement);
        }
        return object -> object.labels().containsKey(key);
    }

    private static Predicate<Resource> field(String requirement) {
        var equal = EQUAL.matcher(requirement);
        if (!equal.matches()) {
            throw unreadable(requirement);
        }
        var path = equal.group(1).split("\\.");
        var value = equal.group(3);
        boolean wanted = !equal.group(2).equals("!=");
        return object -> wanted == object.text(path).equals(value);
    }

    private static ApiException unreadable(String requirement) {
        return new ApiException(
                400,
                "BadRequest",
                "unable to parse requirement: \"%s\"".formatted(requirement.strip()),
                List.of());
    }
}
