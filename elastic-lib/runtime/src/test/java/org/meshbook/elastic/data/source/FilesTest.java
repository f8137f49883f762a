package org.meshbook.elastic.data.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;

class FilesTest {
    @TempDir Path folder;

    @Test
    void csvColumnsGetTheNarrowestTypeThatHoldsThem() throws IOException {
        var table =
                CsvFile.read(
                        write(
                                """
                                id,big,price,ok,kind,"a, ""b""\"
                                1,5000000000,1.5,true,cat,1
                                2,-1,,FALSE,"dog, old",2
                                3,0,2e3,true,cat,3
                                """));
        assertThat(table.count()).isEqualTo(3);
        assertThat(table.columns().keySet())
                .containsExactly("id", "big", "price", "ok", "kind", "a, \"b\"");
        assertThat(table.column("id").type()).isEqualTo(ArrayType.of(DType.I32, 3));
        assertThat(table.column("big").toHost().longs()).containsExactly(5_000_000_000L, -1, 0);
        assertThat(table.column("price").toHost().floats())
                .containsExactly(1.5f, Float.NaN, 2_000f);
        assertThat(table.column("ok").toHost().booleans()).containsExactly(true, false, true);
        assertThatThrownBy(() -> table.column("cost"))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("no column 'cost'; there are [id, big, price");
        assertThat(table.words()).containsEntry("kind", List.of("cat", "dog, old"));
        assertThat(table.rows(new long[] {1, 1}).get("kind")).isEqualTo(Array.of(1, 1));
    }

    @Test
    void csvOfOtherSystemsIsRead() throws IOException {
        var table = CsvFile.read(write("\uFEFFx,y\r\n1,2\r\n3,4"));
        assertThat(table.column("x").toHost().ints()).containsExactly(1, 3);
        assertThat(table.column("y").toHost().ints()).containsExactly(2, 4);
    }

    @Test
    void raggedCsvNamesTheLine() throws IOException {
        var file = write("x,y\n1,\"two\nlines\"\n3\n");
        assertThatThrownBy(() -> CsvFile.read(file))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("line 4 of")
                .hasMessageContaining("has 1 fields, its header 2");
        var open = write("x,y\n1,\"two\n");
        assertThatThrownBy(() -> CsvFile.read(open)).hasMessageContaining("line 2");
        var empty = write("x,y\n");
        assertThatThrownBy(() -> CsvFile.read(empty)).hasMessageContaining("no rows");
        assertThatThrownBy(() -> CsvFile.read(folder.resolve("none.csv")))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("none.csv");
    }

    @Test
    void parquetOfPandasIsRead() throws IOException {
        // seven rows in snappy, written by pyarrow; y[2] is null
        var file = folder.resolve("rows.parquet");
        try (var in = FilesTest.class.getResourceAsStream("rows.parquet")) {
            Files.copy(Objects.requireNonNull(in), file);
        }
        var table = ParquetFile.read(file);
        assertThat(table.count()).isEqualTo(7);
        assertThat(table.column("id").toHost().longs()).containsExactly(0, 1, 2, 3, 4, 5, 6);
        assertThat(table.column("small").toHost().ints()).containsExactly(1, 2, 3, 4, 5, 6, 7);
        assertThat(table.column("x").toHost().floats()).startsWith(0, 0.5f, 1).hasSize(7);
        assertThat(table.column("y").toHost().doubles()).startsWith(0, 1 / 3.0, Double.NaN, 1);
        assertThat(table.column("ok").toHost().booleans()).startsWith(true, false, true);
        assertThat(table.words()).containsEntry("kind", List.of("a", "b", "c"));
        assertThat(table.column("kind").toHost().ints()).containsExactly(1, 0, 1, 2, 0, 0, 1);
        assertThat(table.column("pixels").type()).isEqualTo(ArrayType.of(DType.F32, 7, 3));
        assertThat(table.rows(new long[] {6, 0}).get("fixed"))
                .isEqualTo(Array.of(6, -6, 0, 0).reshape(2, 2));
    }

    @Test
    void brokenParquetIsOneLine() throws IOException {
        var file = Files.writeString(folder.resolve("no.parquet"), "PAR1 and no more");
        assertThatThrownBy(() -> ParquetFile.read(file))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("no.parquet cannot be read as Parquet")
                .hasMessageNotContaining("\n");
    }

    @Test
    void imagesAreScaledAndLabelledByTheirFolder() throws IOException {
        image("cat/a.png", 0xFF0000, 8);
        image("cat/b.png", 0x00FF00, 3);
        image("dog/c.png", 0x0000FF, 5);
        Files.writeString(folder.resolve("cat/notes.txt"), "no image");
        var images = ImageFolder.of(folder, 2, 2);
        assertThat(images.count()).isEqualTo(3);
        assertThat(images.classes()).containsExactly("cat", "dog");
        var batch = images.rows(new long[] {2, 0});
        assertThat(batch.label().toHost().ints()).containsExactly(1, 0);
        assertThat(batch.image().type()).isEqualTo(ArrayType.of(DType.F32, 2, 2, 2, 3));
        assertThat(batch.image().toHost().floats())
                .startsWith(0, 0, 1, 0, 0, 1)
                .endsWith(1, 0, 0, 1, 0, 0);
    }

    @Test
    void brokenImageIsNamedAndOtherImagesAreOtherData() throws IOException {
        image("cat/a.png", 0xFF0000, 8);
        var one = ImageFolder.of(folder, 2, 2).fingerprint();
        Files.writeString(folder.resolve("cat/b.png"), "torn");
        var two = ImageFolder.of(folder, 2, 2);
        assertThat(two.fingerprint()).isNotEqualTo(one);
        assertThatThrownBy(() -> two.rows(new long[] {0, 1}))
                .isInstanceOf(UnreadableRow.class)
                .hasMessageContaining("cat/b.png, cannot be read")
                .extracting(e -> ((UnreadableRow) e).index())
                .isEqualTo(1L);
    }

    @Test
    void hundredReadsLeaveNoFileOpen() throws IOException {
        image("cat/a.png", 0xFF0000, 8);
        var images = ImageFolder.of(folder, 2, 2);
        images.rows(new long[] {0});
        long before = openBelow();
        for (int i = 0; i < 100; i++) {
            images.rows(new long[] {0, 0});
        }
        assertThat(openBelow()).isEqualTo(before);
    }

    /// Files below the folder that this process holds open; 0 where the system does not tell.
    private long openBelow() throws IOException {
        var handles = Path.of("/proc/self/fd");
        if (!Files.isDirectory(handles)) {
            return 0;
        }
        long count = 0;
        try (var all = Files.list(handles)) {
            for (var handle : all.toList()) {
                count += target(handle).startsWith(folder.toString()) ? 1 : 0;
            }
        }
        return count;
    }

    private static String target(Path handle) {
        try {
            return Files.readSymbolicLink(handle).toString();
        } catch (IOException e) {
            return "";
        }
    }

    private Path write(String text) throws IOException {
        return Files.writeString(Files.createTempFile(folder, "t", ".csv"), text);
    }

    private void image(String name, int rgb, int side) throws IOException {
        var file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        var image = new BufferedImage(side, side, BufferedImage.TYPE_INT_RGB);
        for (int i = 0; i < side * side; i++) {
            image.setRGB(i % side, i / side, rgb);
        }
        ImageIO.write(image, "png", file.toFile());
    }
}
