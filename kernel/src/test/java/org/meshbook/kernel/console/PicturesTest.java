package org.meshbook.kernel.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.meshbook.kernel.spi.DisplayData;

class PicturesTest {
    private static final Pattern PLACE = Pattern.compile(": (/[^\\]]+)\\]");

    private static DisplayData picture(int width, int height) throws IOException {
        var image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        var pen = image.createGraphics();
        pen.setColor(Color.RED);
        pen.fillRect(0, 0, width, height);
        pen.dispose();
        var bytes = new ByteArrayOutputStream();
        ImageIO.write(image, "png", bytes);
        return DisplayData.text("<image>")
                .and("image/png", Base64.getEncoder().encodeToString(bytes.toByteArray()));
    }

    @Test
    void inAPipeAPictureIsItsTextAndALineThatNamesIt() throws IOException {
        try (var pictures = new Pictures(Looks.PLAIN)) {
            assertThat(pictures.text(picture(640, 480)))
                    .startsWith("<image>\n[image/png, 640 x 480, ")
                    .doesNotContain("\u001b");
        }
    }

    @Test
    void aPersonIsToldWhereThePictureLies() throws IOException {
        Path file;
        var data = picture(4, 4);
        try (var pictures = new Pictures(new Looks(true, 0, 80))) {
            var text = pictures.text(data);
            var place = PLACE.matcher(text);
            assertThat(place.find()).as(text).isTrue();
            file = Path.of(place.group(1));
            assertThat(ImageIO.read(file.toFile()).getWidth()).isEqualTo(4);
        }
        assertThat(file).doesNotExist();
        assertThat(file.getParent()).doesNotExist();
    }

    @Test
    void whereThereAreColoursItIsDrawnInHalfBlocks() throws IOException {
        try (var pictures = new Pictures(new Looks(true, Looks.TRUE_COLOUR, 40))) {
            var lines = pictures.text(picture(400, 200)).lines().toList();
            assertThat(lines.getFirst()).startsWith("\u001b[38;2;255;0;0;48;2;255;0;0m▀");
            assertThat(lines.getFirst().chars().filter(c -> c == '▀').count()).isEqualTo(39);
            assertThat(lines).hasSizeBetween(10, 12);
        }
    }

    @Test
    void aPaletteIsUsedWhereThereIsOne() throws IOException {
        try (var pictures = new Pictures(new Looks(true, 256, 80))) {
            assertThat(pictures.text(picture(2, 2))).startsWith("\u001b[38;5;196;48;5;196m▀");
        }
    }

    @Test
    void aDrawingIsKeptAsAFileAndItsTextIsShown() throws IOException {
        try (var pictures = new Pictures(new Looks(true, 256, 80))) {
            var chart = DisplayData.text("▁▃▇\nloss").and("image/svg+xml", "<svg/>");
            var text = pictures.text(chart);
            assertThat(text).startsWith("▁▃▇\nloss\n").contains("image/svg+xml");
            var place = PLACE.matcher(text);
            assertThat(place.find()).isTrue();
            assertThat(Files.readString(Path.of(place.group(1)))).isEqualTo("<svg/>");
        }
    }

    @Test
    void aBrokenPictureIsNoError() {
        try (var pictures = new Pictures(new Looks(true, 256, 80))) {
            var broken = DisplayData.text("<image>").and("image/png", "!!");
            assertThat(pictures.text(broken)).startsWith("<image>\n");
        }
    }

    @Test
    void sequencesAreLeftOutWhereThereAreNoColours() {
        assertThat(Looks.PLAIN.shown("\u001b[1;31mred\u001b[0m \u001b[2K.")).isEqualTo("red .");
        assertThat(new Looks(true, 16, 80).shown("\u001b[31mred")).isEqualTo("\u001b[31mred");
    }
}
