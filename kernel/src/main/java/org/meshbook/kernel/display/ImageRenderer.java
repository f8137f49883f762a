package org.meshbook.kernel.display;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.Optional;
import javax.imageio.ImageIO;
import org.meshbook.kernel.spi.DisplayData;
import org.meshbook.kernel.spi.Renderer;

/// Pictures as PNG.
final class ImageRenderer implements Renderer {
    @Override
    public Optional<DisplayData> render(Object value) {
        // The name is compared first, so that java.desktop is not loaded for values of other types.
        return value.getClass().getName().startsWith("java.awt.image.")
                        && value instanceof BufferedImage image
                ? Optional.of(picture(image))
                : Optional.empty();
    }

    private static DisplayData picture(BufferedImage image) {
        var bytes = new ByteArrayOutputStream();
        try {
            if (!ImageIO.write(image, "png", bytes)) {
                throw new IOException("no PNG writer takes this kind of picture");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return DisplayData.text("<image %d x %d>".formatted(image.getWidth(), image.getHeight()))
                .and("image/png", Base64.getEncoder().encodeToString(bytes.toByteArray()));
    }
}
