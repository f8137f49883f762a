package org.meshbook.cluster.manifest;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// What a plain scalar means to kubectl: YAML 1.1 as go-yaml 2 reads it, then JSON.
final class Scalars {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final Set<String> TRUE =
            Set.of("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON");
    private static final Set<String> FALSE =
            Set.of("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF");
    private static final Set<String> NULL = Set.of("", "~", "null", "Null", "NULL");
    private static final Pattern ENDLESS =
            Pattern.compile("\\.(nan|NaN|NAN)|[-+]?\\.(inf|Inf|INF)");
    private static final Pattern WHOLE =
            Pattern.compile("([-+]?)(0[xX][0-9a-fA-F]+|0[oO]?[0-7]+|0[bB][01]+|0|[1-9][0-9]*)");
    private static final Pattern FLOAT =
            Pattern.compile("[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]{1,4})?");
    private static final Pattern BASE_60 =
            Pattern.compile("[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\\.[0-9_]*)?");
    private static final Pattern DATE =
            Pattern.compile("\\d{4}-\\d{1,2}-\\d{1,2}([Tt ]\\d{1,2}:\\d{1,2}:\\d{1,2}.*)?");
    private static final int DIGITS_OF_JSON = 21;

    private Scalars() {}

    /// @param text a plain scalar
    /// @return what it means; empty for a number that JSON does not have
    static Optional<JsonNode> plain(String text) {
        if (NULL.contains(text)) {
            return Optional.of(JSON.nullNode());
        }
        if (TRUE.contains(text) || FALSE.contains(text)) {
            return Optional.of(JSON.booleanNode(TRUE.contains(text)));
        }
        if (ENDLESS.matcher(text).matches()) {
            return Optional.empty();
        }
        return Optional.of(number(text));
    }

    private static JsonNode number(String text) {
        if (!text.isEmpty() && "+-.0123456789".indexOf(text.charAt(0)) >= 0) {
            var plain = text.startsWith(".") ? text : text.replace("_", "");
            var whole = WHOLE.matcher(plain);
            if (whole.matches()) {
                return whole(whole.group(1), whole.group(2));
            }
            if (FLOAT.matcher(plain).matches()) {
                return real(Double.parseDouble(plain), text);
            }
        }
        return JSON.stringNode(text);
    }

    private static JsonNode whole(String sign, String digits) {
        var lower = digits.toLowerCase(java.util.Locale.ROOT);
        int radix = 10;
        int skip = 0;
        if (lower.startsWith("0x")) {
            radix = 16;
            skip = 2;
        } else if (lower.startsWith("0b")) {
            radix = 2;
            skip = 2;
        } else if (lower.startsWith("0") && lower.length() > 1) {
            radix = 8;
            skip = lower.startsWith("0o") ? 2 : 1;
        }
        var value = new BigInteger(lower.substring(skip), radix);
        return whole(sign.equals("-") ? value.negate() : value);
    }

    private static JsonNode whole(BigInteger value) {
        return value.bitLength() < 64
                ? JSON.numberNode(value.longValueExact())
                : JSON.numberNode(value);
    }

    /// Go writes 8.0 as `8`.
    private static JsonNode real(double value, String text) {
        if (Double.isInfinite(value)) {
            return JSON.stringNode(text);
        }
        if (value == Math.rint(value) && Math.abs(value) < Math.pow(10, DIGITS_OF_JSON)) {
            return whole(new BigDecimal(value).toBigInteger());
        }
        return JSON.numberNode(value);
    }

    /// @param text a text
    /// @return whether it means something else when it is written without quotes
    static boolean needsQuotes(String text) {
        return ENDLESS.matcher(text).matches()
                || BASE_60.matcher(text).matches()
                || DATE.matcher(text).matches()
                || text.equals("<<")
                || plain(text).filter(JsonNode::isString).isEmpty();
    }
}
