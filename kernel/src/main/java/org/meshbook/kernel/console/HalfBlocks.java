package org.meshbook.kernel.console;

import java.awt.Color;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;

/// Draws a picture with characters: each shows two points, one above the other, as the colours of
/// its lower and upper half.
///
/// @param looks how many colours there are, and how much room
record HalfBlocks(Looks looks) {
    private static final int COLUMNS = 80;
    private static final int ROWS = 24;
    private static final String ESCAPE = "\u001b[";
    private static final char UPPER = '▀';

    /// @return lines of text
    String draw(BufferedImage image) {
        var small = scaled(image);
        var text = new StringBuilder();
        for (var y = 0; y < small.getHeight(); y += 2) {
            for (var x = 0; x < small.getWidth(); x++) {
                text.append(ESCAPE)
                        .append("38;")
                        .append(colour(small.getRGB(x, y)))
                        .append(";48;")
                        .append(colour(small.getRGB(x, y + 1)))
                        .append('m')
                        .append(UPPER);
            }
            text.append(ESCAPE).append("0m\n");
        }
        return text.toString().stripTrailing();
    }

    /// On white, as pictures for paper are; an even number of rows.
    private BufferedImage scaled(BufferedImage image) {
        var scale =
                Math.min(
                        1.0,
                        Math.min(
                                (double) Math.min(COLUMNS, looks.columns() - 1) / image.getWidth(),
                                2.0 * ROWS / image.getHeight()));
        var width = Math.max(1, (int) Math.round(image.getWidth() * scale));
        var height = Math.max(2, 2 * (int) Math.round(image.getHeight() * scale / 2));
        var small = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        var pen = small.createGraphics();
        pen.setRenderingHint(
                RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BILINEAR);
        pen.drawImage(
                image.getScaledInstance(width, height, BufferedImage.SCALE_AREA_AVERAGING),
                0,
                0,
                Color.WHITE,
                null);
        pen.dispose();
        return small;
    }

    private String colour(int rgb) {
        var red = rgb >> 16 & 255;
        var green = rgb >> 8 & 255;
        var blue = rgb & 255;
        return looks.colours() == Looks.TRUE_COLOUR
                ? "2;" + red + ";" + green + ";" + blue
                : "5;" + (16 + 36 * (red * 5 / 255) + 6 * (green * 5 / 255) + blue * 5 / 255);
    }
}
