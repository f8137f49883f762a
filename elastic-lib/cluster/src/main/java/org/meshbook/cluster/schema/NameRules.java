package org.meshbook.cluster.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.meshbook.cluster.ApiException.Cause;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKind;

/// What names, labels and annotations may be, in the server's words.
public final class NameRules {
    private static final String LABEL_FORM = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    private static final String SUBDOMAIN_FORM = LABEL_FORM + "(\\." + LABEL_FORM + ")*";
    private static final String SERVICE_FORM = "[a-z]([-a-z0-9]*[a-z0-9])?";
    private static final String KEY_FORM = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
    private static final String VALUE_FORM = "(" + KEY_FORM + ")?";

    private static final Pattern LABEL = Pattern.compile(LABEL_FORM);
    private static final Pattern SUBDOMAIN = Pattern.compile(SUBDOMAIN_FORM);
    private static final Pattern SERVICE = Pattern.compile(SERVICE_FORM);
    private static final Pattern KEY = Pattern.compile(KEY_FORM);
    private static final Pattern VALUE = Pattern.compile(VALUE_FORM);

    private static final int LONGEST_LABEL = 63;
    private static final int LONGEST_NAME = 253;

    private NameRules() {}

    /// @param kind kind
    /// @param object an object of it
    /// @return what is wrong with its name, its labels and the keys of its annotations
    public static List<Cause> check(ResourceKind kind, Resource object) {
        var causes = new ArrayList<Cause>();
        if (object.name().isEmpty()) {
            causes.add(
                    new Cause(
                            "FieldValueRequired",
                            "metadata.name",
                            "Required value: name or generateName is required"));
        } else {
            name(kind, object.name()).ifPresent(w -> invalid(causes, "name", object.name(), w));
        }
        for (var label : object.labels().entrySet()) {
            key(label.getKey()).ifPresent(w -> invalid(causes, "labels", label.getKey(), w));
            labelValue(label.getValue())
                    .ifPresent(w -> invalid(causes, "labels", label.getValue(), w));
        }
        for (var name : object.annotations().keySet()) {
            key(name).ifPresent(w -> invalid(causes, "annotations", name, w));
        }
        return causes;
    }

    private static void invalid(List<Cause> causes, String field, String value, String why) {
        causes.add(
                new Cause(
                        "FieldValueInvalid",
                        "metadata." + field,
                        "Invalid value: \"%s\": %s".formatted(value, why)));
    }

    /// @param kind kind
    /// @param name an object's name
    /// @return what is wrong with it; empty if nothing is
    public static Optional<String> name(ResourceKind kind, String name) {
        return switch (kind.kind()) {
            case "Namespace" -> label(name);
            case "Service" -> service(name);
            default -> subdomain(name);
        };
    }

    private static Optional<String> label(String name) {
        return fits(
                name,
                LONGEST_LABEL,
                LABEL,
                "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or"
                        + " '-', and must start and end with an alphanumeric character (e.g."
                        + " 'my-name',  or '123-abc', regex used for validation is '%s')");
    }

    private static Optional<String> service(String name) {
        return fits(
                name,
                LONGEST_LABEL,
                SERVICE,
                "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start"
                        + " with an alphabetic character, and end with an alphanumeric character"
                        + " (e.g. 'my-name',  or 'abc-123', regex used for validation is '%s')");
    }

    private static Optional<String> subdomain(String name) {
        return fits(
                name,
                LONGEST_NAME,
                SUBDOMAIN,
                "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters,"
                        + " '-' or '.', and must start and end with an alphanumeric character (e.g."
                        + " 'example.com', regex used for validation is '%s')");
    }

    /// @param value a label's value
    /// @return what is wrong with it; empty if nothing is
    public static Optional<String> labelValue(String value) {
        return fits(
                value,
                LONGEST_LABEL,
                VALUE,
                "a valid label must be an empty string or consist of alphanumeric characters, '-',"
                        + " '_' or '.', and must start and end with an alphanumeric character (e.g."
                        + " 'MyValue',  or 'my_value',  or '12345', regex used for validation is"
                        + " '%s')");
    }

    /// @param key key of a label or an annotation
    /// @return what is wrong with it; empty if nothing is
    public static Optional<String> key(String key) {
        int slash = key.indexOf('/');
        if (slash != key.lastIndexOf('/')) {
            return Optional.of(
                    "a valid label key must consist of alphanumeric characters, '-', '_' or '.',"
                            + " and must start and end with an alphanumeric character (e.g."
                            + " 'MyName',  or 'my.name',  or '123-abc', regex used for validation"
                            + " is '%s') with an optional DNS subdomain prefix and '/' (e.g."
                                    .formatted(KEY_FORM)
                            + " 'example.com/MyName')");
        }
        if (slash == 0) {
            return Optional.of("prefix part must be non-empty");
        }
        var prefix = slash < 0 ? Optional.<String>empty() : subdomain(key.substring(0, slash));
        return prefix.map(why -> "prefix part " + why).or(() -> keyName(key.substring(slash + 1)));
    }

    private static Optional<String> keyName(String name) {
        if (name.isEmpty()) {
            return Optional.of("name part must be non-empty");
        }
        return fits(
                name,
                LONGEST_LABEL,
                KEY,
                "name part must consist of alphanumeric characters, '-', '_' or '.', and must start"
                        + " and end with an alphanumeric character (e.g. 'MyName',  or 'my.name', "
                        + " or '123-abc', regex used for validation is '%s')");
    }

    private static Optional<String> fits(String text, int longest, Pattern form, String why) {
        if (text.length() > longest) {
            return Optional.of("must be no more than %d bytes".formatted(longest));
        }
        return form.matcher(text).matches()
                ? Optional.empty()
                : Optional.of(why.formatted(form.pattern()));
    }
}
