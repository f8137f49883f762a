package io.github.spencerpark.jupyter.kernel.display.mime;

import org.jspecify.annotations.Nullable;

/// A MIME type, by IJava's name.
public class MIMEType extends org.dflib.jjava.jupyter.kernel.display.mime.MIMEType {
    public MIMEType(
            String group,
            @Nullable String tree,
            @Nullable String subtype,
            @Nullable String suffix) {
        super(group, tree, subtype, suffix);
    }

    /// @param text a MIME type
    /// @return what it says
    public static MIMEType parse(String text) {
        var parsed = org.dflib.jjava.jupyter.kernel.display.mime.MIMEType.parse(text);
        return new MIMEType(
                parsed.getGroup(), parsed.getTree(), parsed.getSubtype(), parsed.getSuffix());
    }
}
