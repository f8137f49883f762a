package org.dflib.jjava.jupyter.kernel.display.common;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import org.dflib.jjava.jupyter.kernel.display.RenderContext;
import org.dflib.jjava.jupyter.kernel.display.Renderer;
import org.dflib.jjava.jupyter.kernel.display.mime.MIMEType;

/// An address as a link, or as the element that the parameters name.
public class Url {
    public static final String EMBED_KEY = "url.embed";
    public static final String HTML_TAG_KEY = "url.html.tag";
    public static final String HTML_SRC_ATTR_KEY = "url.html.src";

    /// @param renderer gets the rule for addresses
    public static void registerAll(Renderer renderer) {
        renderer.createRegistration(URL.class)
                .preferring(MIMEType.TEXT_HTML)
                .register(Url::renderUrl);
    }

    /// @param url an address
    /// @param context says of which type it is, and whether what is there is embedded
    public static void renderUrl(URL url, RenderContext context) {
        if (context.getParameterAsBoolean(EMBED_KEY, false)) {
            try (var in = url.openStream()) {
                Image.renderImageFromStream(in, context);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return;
        }
        var address = url.toString().replace("&", "&amp;").replace("\"", "&quot;");
        var tag = context.getParameterAsString(HTML_TAG_KEY, "a");
        var attribute =
                context.getParameterAsString(HTML_SRC_ATTR_KEY, tag.equals("a") ? "href" : "src");
        context.renderIfRequested(
                MIMEType.TEXT_HTML,
                () ->
                        "<%s %s=\"%s\">%s</%s>"
                                .formatted(
                                        tag,
                                        attribute,
                                        address,
                                        tag.equals("a") ? address.replace("<", "&lt;") : "",
                                        tag));
    }
}
