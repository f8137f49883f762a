package org.meshbook.cluster.schema;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/// The parts of a variable that a rule in CEL mentions: it can depend on nothing else, and CEL
/// copies at each rule what it is given.
///
/// @param fields the fields that are mentioned, and what of them; empty for the whole value
record Mentioned(Map<String, Mentioned> fields) {
    static final Mentioned WHOLE = new Mentioned(Map.of());

    private static final String CHAIN = "(?<![\\w.\"'])%s((?:\\.[A-Za-z_]\\w*)*)(\\s*\\()?";

    Mentioned {
        fields = Map.copyOf(fields);
    }

    /// A field while rules are read.
    private static final class Part {
        private final Map<String, Part> below = new HashMap<>();
        private boolean whole;

        Mentioned made() {
            var fields = new HashMap<String, Mentioned>();
            if (!whole) {
                below.forEach((name, part) -> fields.put(name, part.made()));
            }
            return new Mentioned(fields);
        }
    }

    /// @param rule a rule
    /// @param variable `self` or `oldSelf`
    /// @return what it mentions of that; the whole if it uses it in any other way than by its
    ///   fields
    static Mentioned in(String rule, String variable) {
        var root = new Part();
        var match = Pattern.compile(CHAIN.formatted(variable)).matcher(rule);
        while (match.find()) {
            var steps = Arrays.asList(match.group(1).split("\\."));
            // the first is empty, and what is called is no field
            var fields = steps.subList(1, steps.size() - (match.group(2) == null ? 0 : 1));
            // names that CEL cannot write are escaped
            if (fields.isEmpty() || match.group(1).contains("__")) {
                return WHOLE;
            }
            var at = root;
            for (var field : fields) {
                at = at.below.computeIfAbsent(field, _ -> new Part());
            }
            at.whole = true;
        }
        return root.made();
    }
}
