package org.dflib.jjava.jupyter.kernel.display.common;

import java.util.List;
import org.dflib.jjava.jupyter.kernel.display.RenderContext;
import org.dflib.jjava.jupyter.kernel.display.Renderer;
import org.dflib.jjava.jupyter.kernel.display.mime.MIMEType;

/// Text as any type that is text.
public class Text {
    public static final MIMEType JS = MIMEType.APPLICATION_JAVASCRIPT;
    public static final MIMEType PLAIN = MIMEType.TEXT_PLAIN;
    public static final MIMEType MARKDOWN = MIMEType.TEXT_MARKDOWN;
    public static final MIMEType LATEX = MIMEType.TEXT_LATEX;
    public static final MIMEType HTML = MIMEType.TEXT_HTML;
    public static final MIMEType CSS = MIMEType.TEXT_CSS;
    public static final MIMEType SVG = MIMEType.IMAGE_SVG;
    public static final MIMEType JSON = MIMEType.APPLICATION_JSON;

    private static final List<MIMEType> ALL =
            List.of(PLAIN, JS, MARKDOWN, LATEX, HTML, CSS, SVG, JSON);

    /// @param renderer gets the rule for text
    public static void registerAll(Renderer renderer) {
        renderer.createRegistration(CharSequence.class)
                .preferring(PLAIN)
                .supporting(ALL.toArray(MIMEType[]::new))
                .register(Text::renderCharSequence);
    }

    /// @param text the content
    /// @param context says of which type it is
    public static void renderCharSequence(CharSequence text, RenderContext context) {
        for (var type : ALL) {
            context.renderIfRequested(type, () -> text.toString());
        }
    }
}
