package org.dflib.jjava.jupyter.kernel.display.common;

import java.awt.image.BufferedImage;
import java.awt.image.RenderedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.Map;
import javax.imageio.ImageIO;
import org.dflib.jjava.jupyter.kernel.display.RenderContext;
import org.dflib.jjava.jupyter.kernel.display.Renderer;
import org.dflib.jjava.jupyter.kernel.display.mime.MIMEType;

/// Pictures as PNG, JPEG or GIF.
public class Image {
    public static final MIMEType PNG = MIMEType.IMAGE_PNG;
    public static final MIMEType JPEG = MIMEType.IMAGE_JPEG;
    public static final MIMEType GIF = MIMEType.IMAGE_GIF;
    public static final MIMEType SVG = MIMEType.IMAGE_SVG;

    private static final Map<MIMEType, String> FORMATS =
            Map.of(PNG, "png", JPEG, "jpg", GIF, "gif");

    /// @param renderer gets the rule for pictures
    public static void registerAll(Renderer renderer) {
        renderer.createRegistration(RenderedImage.class)
                .preferring(PNG)
                .supporting(JPEG, GIF)
                .register(Image::renderImage);
    }

    /// @param image a picture
    /// @param context says of which type it is
    public static void renderImage(RenderedImage image, RenderContext context) {
        FORMATS.forEach(
                (type, format) ->
                        context.renderIfRequested(
                                type,
                                (resolved, data) ->
                                        data.putData(
                                                resolved,
                                                encoded(image, format),
                                                Map.of(
                                                        "width",
                                                        image.getWidth(),
                                                        "height",
                                                        image.getHeight()))));
    }

    /// @param in a picture's file
    /// @param context says of which type it is
    public static void renderImageFromStream(InputStream in, RenderContext context) {
        try {
            var image = ImageIO.read(in);
            if (image == null) {
                throw new IllegalArgumentException("the stream holds no picture that Java reads");
            }
            renderImage(image, context);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String encoded(RenderedImage image, String format) {
        var bytes = new ByteArrayOutputStream();
        try {
            if (!ImageIO.write(image, format, bytes)) {
                // JPEG knows no transparency.
                var opaque =
                        new BufferedImage(
                                image.getWidth(), image.getHeight(), BufferedImage.TYPE_INT_RGB);
                var graphics = opaque.createGraphics();
                graphics.drawRenderedImage(image, null);
                graphics.dispose();
                var unused = ImageIO.write(opaque, format, bytes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Base64.getEncoder().encodeToString(bytes.toByteArray());
    }
}
