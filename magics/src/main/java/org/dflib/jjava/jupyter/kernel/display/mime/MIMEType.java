package org.dflib.jjava.jupyter.kernel.display.mime;

import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A MIME type: `group/tree.subtype+suffix`. Immutable.
public class MIMEType {
    public static final MIMEType ANY = parse("*");
    public static final MIMEType APPLICATION_XML = parse("application/xml");
    public static final MIMEType APPLICATION_JSON = parse("application/json");
    public static final MIMEType APPLICATION_JAVASCRIPT = parse("application/javascript");
    public static final MIMEType APPLICATION_PDF = parse("application/pdf");
    public static final MIMEType APPLICATION_FASTINFOSET = parse("application/fastinfoset");
    public static final MIMEType APPLICATION_VND_WAP_WBXML = parse("application/vnd.wap.wbxml");
    public static final MIMEType APPLICATION_ZIP = parse("application/zip");
    public static final MIMEType APPLICATION_CBOR = parse("application/cbor");
    public static final MIMEType TEXT_HTML = parse("text/html");
    public static final MIMEType TEXT_MARKDOWN = parse("text/markdown");
    public static final MIMEType TEXT_LATEX = parse("text/latex");
    public static final MIMEType TEXT_PLAIN = parse("text/plain");
    public static final MIMEType TEXT_CSS = parse("text/css");
    public static final MIMEType IMAGE_PNG = parse("image/png");
    public static final MIMEType IMAGE_JPEG = parse("image/jpeg");
    public static final MIMEType IMAGE_GIF = parse("image/gif");
    public static final MIMEType IMAGE_SVG = parse("image/svg+xml");

    private final String group;
    private final @Nullable String tree;
    private final @Nullable String subtype;
    private final @Nullable String suffix;

    /// @param group before the slash
    /// @param tree before the last dot of the rest
    /// @param subtype what is left
    /// @param suffix after the plus
    public MIMEType(
            String group,
            @Nullable String tree,
            @Nullable String subtype,
            @Nullable String suffix) {
        this.group = group;
        this.tree = tree;
        this.subtype = subtype;
        this.suffix = suffix;
    }

    /// @param text a MIME type; parameters after `;` do not count
    /// @return what it says
    /// @throws MIMETypeParseException if it is none
    public static MIMEType parse(String text) throws MIMETypeParseException {
        var bare = text.replaceFirst(";.*", "").strip().toLowerCase(Locale.ROOT);
        var parts = bare.split("/", -1);
        if (bare.isEmpty() || parts.length > 2 || parts[0].isEmpty()) {
            throw new MIMETypeParseException("'%s' is no MIME type".formatted(text));
        }
        if (parts.length == 1) {
            return new MIMEType(parts[0], null, null, null);
        }
        int plus = parts[1].lastIndexOf('+');
        var suffix = plus < 0 ? null : parts[1].substring(plus + 1);
        var rest = plus < 0 ? parts[1] : parts[1].substring(0, plus);
        int dot = rest.lastIndexOf('.');
        if (rest.isEmpty()) {
            throw new MIMETypeParseException("'%s' has no subtype".formatted(text));
        }
        return new MIMEType(
                parts[0], dot < 0 ? null : rest.substring(0, dot), rest.substring(dot + 1), suffix);
    }

    public String getGroup() {
        return group;
    }

    public @Nullable String getTree() {
        return tree;
    }

    public @Nullable String getSubtype() {
        return subtype;
    }

    public @Nullable String getSuffix() {
        return suffix;
    }

    public boolean hasTree() {
        return tree != null;
    }

    public boolean hasSubtype() {
        return subtype != null;
    }

    public boolean hasSuffix() {
        return suffix != null;
    }

    public MIMEType withoutSuffix() {
        return new MIMEType(group, tree, subtype, null);
    }

    public boolean subtypeIsWildcard() {
        return subtype == null || subtype.equals("*");
    }

    public boolean isWildcard() {
        return group.equals("*");
    }

    /// @return whether one stands for the other
    boolean covers(MIMEType other) {
        return isWildcard()
                || (group.equals(other.group) && (subtypeIsWildcard() || equals(other)));
    }

    /// @param one a type or a wildcard
    /// @param other another
    /// @return whether one stands for the other
    public static boolean match(MIMEType one, MIMEType other) {
        return one.covers(other) || other.covers(one);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof MIMEType that
                && group.equals(that.group)
                && Objects.equals(tree, that.tree)
                && Objects.equals(subtype, that.subtype)
                && Objects.equals(suffix, that.suffix);
    }

    @Override
    public int hashCode() {
        return Objects.hash(group, tree, subtype, suffix);
    }

    @Override
    public String toString() {
        return group
                + (subtype == null ? "" : "/" + (tree == null ? "" : tree + ".") + subtype)
                + (suffix == null ? "" : "+" + suffix);
    }
}
