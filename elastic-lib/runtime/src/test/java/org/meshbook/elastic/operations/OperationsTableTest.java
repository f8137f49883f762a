package org.meshbook.elastic.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Holds docs/operations.md to the operations and tests that there are; `-Dgolden.write=true`
/// writes it.
class OperationsTableTest {
    private static final Path FILE = Path.of("../../docs/operations.md");

    @Test
    void theTableOfOperationsIsTheOneInTheDocuments() throws IOException {
        var text = text();
        if (Boolean.getBoolean("golden.write")) {
            Files.writeString(FILE, text);
        }
        assertThat(Files.readString(FILE))
                .as(
                        "%s; write it by mvn -pl elastic-lib/runtime test -Dtest=OperationsTableTest -Dgolden.write=true",
                        FILE)
                .isEqualTo(text);
    }

    private static String text() {
        var rows = new StringBuilder();
        for (var op : Operations.all()) {
            var cells =
                    List.of(
                            op.name(),
                            "`" + op.jax().replace("|", "\\|") + "`",
                            "yes",
                            "yes",
                            op.gradient().words(),
                            "yes",
                            "yes");
            rows.append("| ").append(String.join(" | ", cells)).append(" |\n");
        }
        return """
        # Operations

        What can be computed, and how each operation is tried: by itself in F32 and F64 on each engine against the same operation
        done at once in this process, its gradient against differences of the function, mapped over examples against each example
        alone, and cut over a mesh of two axes against the whole. `JaxOperationsTest` compares every row, values and gradients, with JAX, and random programs made of them.

        The heads of the columns name the tests, one case a row; `.ci/named-tests` fails if one of them did not run. This file is
        written by `OperationsTableTest`, from the list in `Operations`.

        | operation | in JAX | reference `OperationsTest#reference` | default, ONNX Runtime `OperationsTest#onnx` | gradient `OperationsTest#gradient` | vmap `OperationsTest#vmap` | sharded `OperationsTest#sharded` |
        |---|---|---|---|---|---|---|
        """
                + rows;
    }
}
