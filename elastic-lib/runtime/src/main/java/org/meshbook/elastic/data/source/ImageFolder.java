package org.meshbook.elastic.data.source;

import static org.meshbook.elastic.UsageError.require;

import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.zip.CRC32C;
import javax.imageio.ImageIO;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.HostArray;

/// Images in one folder a class, as `pets/cat/1.png`, decoded and scaled when they are asked for.
///
/// PNG, JPEG, GIF and BMP. Classes and files are in order of name. The fingerprint is made of names
/// and lengths of the files, not of their pixels.
public final class ImageFolder implements Source<ImageFolder.Labelled> {
    private static final Set<String> ENDINGS = Set.of("png", "jpg", "jpeg", "gif", "bmp");
    private static final int COLOURS = 3;
    private static final float BRIGHTEST = 255;

    private final Path folder;
    private final int height;
    private final int width;
    private final List<String> classes;
    private final List<Image> images;
    private final String fingerprint;

    /// Images and what they show.
    ///
    /// @param image `f32[n,height,width,3]`, red, green and blue from 0 to 1
    /// @param label `i32[n]`, places in [ImageFolder#classes()]
    public record Labelled(Array image, Array label) {}

    private record Image(Path file, int label) {}

    private ImageFolder(Path folder, int height, int width) throws IOException {
        this.folder = folder;
        this.height = height;
        this.width = width;
        this.classes =
                list(folder).stream()
                        .filter(Files::isDirectory)
                        .map(sub -> sub.getFileName().toString())
                        .toList();
        require(
                !classes.isEmpty(),
                "%s has no sub-folders; put the images of each class into one, as in cat/1.png",
                folder);
        this.images = new ArrayList<>();
        var sum = new CRC32C();
        for (int label = 0; label < classes.size(); label++) {
            for (var file : list(folder.resolve(classes.get(label)))) {
                if (ENDINGS.contains(ending(file))) {
                    images.add(new Image(file, label));
                    var line = "%s %d\n".formatted(folder.relativize(file), Files.size(file));
                    sum.update(line.getBytes(StandardCharsets.UTF_8));
                }
            }
        }
        require(!images.isEmpty(), "%s holds no images; known are %s", folder, ENDINGS);
        this.fingerprint =
                "%d images %dx%d of %d classes #%08x"
                        .formatted(images.size(), height, width, classes.size(), sum.getValue());
    }

    /// @param folder whose sub-folders are the classes
    /// @param height of each image after scaling, in pixels
    /// @param width of each image after scaling, in pixels
    /// @return the images
    /// @throws UsageError if there are none
    public static ImageFolder of(Path folder, int height, int width) {
        require(height >= 1 && width >= 1, "images of %d x %d pixels; give both", height, width);
        try {
            return new ImageFolder(folder, height, width);
        } catch (IOException e) {
            throw new UsageError("%s cannot be read: %s", folder, String.valueOf(e));
        }
    }

    /// @return names of the sub-folders, sorted
    public List<String> classes() {
        return classes;
    }

    @Override
    public long count() {
        return images.size();
    }

    @Override
    public String fingerprint() {
        return fingerprint;
    }

    @Override
    public Labelled rows(long[] indices) {
        var pixels =
                HostArray.zeros(ArrayType.of(DType.F32, indices.length, height, width, COLOURS));
        var floats = pixels.bytes().asFloatBuffer();
        var labels = new int[indices.length];
        for (int i = 0; i < indices.length; i++) {
            var image = images.get(Math.toIntExact(indices[i]));
            labels[i] = image.label();
            try {
                write(scaled(image.file()), floats);
            } catch (IOException | RuntimeException e) {
                throw new UnreadableRow(
                        indices[i],
                        "image %d, %s, cannot be read: %s; mend or remove it, or allow some with"
                                        .formatted(
                                                indices[i],
                                                folder.relativize(image.file()),
                                                reason(e))
                                + " tolerate(10)",
                        e);
            }
        }
        return new Labelled(pixels, Array.of(labels));
    }

    private BufferedImage scaled(Path file) throws IOException {
        var bytes = Files.readAllBytes(file);
        var image = ImageIO.read(new ByteArrayInputStream(bytes));
        if (image == null) {
            throw new IOException("no known image format");
        }
        var scaled = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        var canvas = scaled.createGraphics();
        canvas.setRenderingHint(
                RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BILINEAR);
        canvas.drawImage(image, 0, 0, width, height, null);
        canvas.dispose();
        return scaled;
    }

    private void write(BufferedImage image, FloatBuffer out) {
        for (int rgb : image.getRGB(0, 0, width, height, null, 0, width)) {
            out.put((rgb >> 16 & 0xFF) / BRIGHTEST);
            out.put((rgb >> 8 & 0xFF) / BRIGHTEST);
            out.put((rgb & 0xFF) / BRIGHTEST);
        }
    }

    private static String reason(Exception e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    private static List<Path> list(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }

    private static String ending(Path file) {
        var name = file.getFileName().toString();
        return name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return fingerprint;
    }
}
