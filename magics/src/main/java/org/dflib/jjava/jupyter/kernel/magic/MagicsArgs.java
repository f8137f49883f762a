package org.dflib.jjava.jupyter.kernel.magic;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What may stand after a magic of a notebook's own. Immutable.
public class MagicsArgs {
    private final List<String> required;
    private final List<String> optional;
    private final @Nullable String varargs;
    private final Map<String, KeywordSpec> keywords;
    private final Map<Character, String> flags;
    private final Map<String, String> flagValues;
    private final boolean anyKeyword;
    private final boolean anyFlag;

    /// What a keyword does that is given again.
    public enum KeywordSpec {
        ONCE,
        COLLECT,
        REPLACE
    }

    private MagicsArgs(MagicsArgsBuilder from) {
        required = List.copyOf(from.required);
        optional = List.copyOf(from.optional);
        varargs = from.varargs;
        keywords = Map.copyOf(from.keywords);
        flags = Map.copyOf(from.flags);
        flagValues = Map.copyOf(from.flagValues);
        anyKeyword = from.anyKeyword;
        anyFlag = from.anyFlag;
    }

    public static MagicsArgsBuilder builder() {
        return new MagicsArgsBuilder();
    }

    /// @param args words
    /// @return values by name
    /// @throws MagicArgsParseException if they do not fit
    public Map<String, List<String>> parse(List<String> args) throws MagicArgsParseException {
        var values = new LinkedHashMap<String, List<String>>();
        var names = new ArrayList<>(required);
        names.addAll(optional);
        names.forEach(name -> values.put(name, new ArrayList<>()));
        keywords.keySet().forEach(name -> values.put(name, new ArrayList<>()));
        flags.values().forEach(name -> values.put(name, new ArrayList<>()));
        if (varargs != null) {
            values.put(varargs, new ArrayList<>());
        }
        var place = 0;
        for (var i = 0; i < args.size(); i++) {
            var word = args.get(i);
            if (word.startsWith("--") && word.length() > 2) {
                i = keyword(word.substring(2), args, i, values);
            } else if (word.startsWith("-") && word.length() > 1) {
                flags(word.substring(1), values);
            } else {
                positional(word, place++, names, values);
            }
        }
        if (place < required.size()) {
            throw new MagicArgsParseException("missing: " + required.get(place));
        }
        return values;
    }

    private void positional(
            String word, int place, List<String> names, Map<String, List<String>> values) {
        var name = place < names.size() ? names.get(place) : varargs;
        if (name == null) {
            throw new MagicArgsParseException("too many words: '%s'".formatted(word));
        }
        values.computeIfAbsent(name, _ -> new ArrayList<>()).add(word);
    }

    private int keyword(String typed, List<String> args, int at, Map<String, List<String>> values) {
        int equals = typed.indexOf('=');
        var name = equals < 0 ? typed : typed.substring(0, equals);
        var spec = keywords.get(name);
        if (spec == null && !anyKeyword) {
            throw new MagicArgsParseException("no keyword --%s".formatted(name));
        }
        var next = equals < 0 ? at + 1 : at;
        if (next >= args.size()) {
            throw new MagicArgsParseException("--%s needs a value".formatted(name));
        }
        var known = values.computeIfAbsent(name, _ -> new ArrayList<>());
        if (spec == KeywordSpec.ONCE && !known.isEmpty()) {
            throw new MagicArgsParseException("--%s is given twice".formatted(name));
        }
        if (spec == KeywordSpec.REPLACE) {
            known.clear();
        }
        known.add(equals < 0 ? args.get(next) : typed.substring(equals + 1));
        return next;
    }

    private void flags(String typed, Map<String, List<String>> values) {
        for (var c : typed.toCharArray()) {
            var name = flags.get(c);
            if (name == null && !anyFlag) {
                throw new MagicArgsParseException("no flag -%s".formatted(c));
            }
            var key = name == null ? String.valueOf(c) : name;
            values.computeIfAbsent(key, _ -> new ArrayList<>())
                    .add(flagValues.getOrDefault(key, ""));
        }
    }

    /// Gathers what may stand there.
    public static class MagicsArgsBuilder {
        private final List<String> required = new ArrayList<>();
        private final List<String> optional = new ArrayList<>();
        private @Nullable String varargs;
        private final Map<String, KeywordSpec> keywords = new LinkedHashMap<>();
        private final Map<Character, String> flags = new LinkedHashMap<>();
        private final Map<String, String> flagValues = new LinkedHashMap<>();
        private boolean anyKeyword;
        private boolean anyFlag;

        public MagicsArgsBuilder required(String name) {
            required.add(name);
            return this;
        }

        public MagicsArgsBuilder optional(String name) {
            optional.add(name);
            return this;
        }

        public MagicsArgsBuilder varargs(String name) {
            varargs = name;
            return this;
        }

        public MagicsArgsBuilder keyword(String name) {
            return keyword(name, KeywordSpec.COLLECT);
        }

        public MagicsArgsBuilder keyword(String name, KeywordSpec spec, KeywordSpec... more) {
            keywords.put(name, more.length == 0 ? spec : more[more.length - 1]);
            return this;
        }

        public MagicsArgsBuilder flag(String name, char letter) {
            return flag(name, letter, "");
        }

        public MagicsArgsBuilder flag(String name, char letter, String value) {
            flags.put(letter, name);
            flagValues.put(name, value);
            return this;
        }

        public MagicsArgsBuilder anyKeyword() {
            anyKeyword = true;
            return this;
        }

        public MagicsArgsBuilder onlyKnownKeywords() {
            anyKeyword = false;
            return this;
        }

        public MagicsArgsBuilder anyFlag() {
            anyFlag = true;
            return this;
        }

        public MagicsArgsBuilder onlyKnownFlags() {
            anyFlag = false;
            return this;
        }

        public MagicsArgs build() {
            return new MagicsArgs(this);
        }
    }
}
