package org.meshbook.cluster.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class PrinterTest {
    private static final JsonMapper JSON = new JsonMapper();

    private static String yaml(String json) {
        return Printer.yaml(JSON.readTree(json));
    }

    @Test
    void keysAreSortedAndListsStandUnderTheirKey() {
        assertThat(yaml("{\"b\":[{\"y\":1,\"x\":\"t\"},2],\"a\":{}, \"c\":[], \"n\":null}"))
                .isEqualTo(
                        """
                        a: {}
                        b:
                        - x: t
                          "y": 1
                        - 2
                        c: []
                        "n": null
                        """);
    }

    @Test
    void textsThatMeanSomethingElseAreQuoted() {
        assertThat(
                        yaml(
                                "[\"true\",\"1\",\"\",\"no\",\"2026-01-01T00:00:00Z\",\"12:30\",\"a:"
                                        + " b\",\"- x\",\"#\",\"4Gi\",\"1e3\",\"it's\",\"*\"]"))
                .isEqualTo(
                        """
                        - "true"
                        - "1"
                        - ""
                        - "no"
                        - "2026-01-01T00:00:00Z"
                        - "12:30"
                        - 'a: b'
                        - '- x'
                        - '#'
                        - 4Gi
                        - "1e3"
                        - it's
                        - '*'
                        """);
    }

    @Test
    void linesAreLiteralAndLongTextsAreFolded() {
        assertThat(yaml("{\"run\":\"a\\nb\\n\",\"last\":\"a\\nb\"}"))
                .isEqualTo("last: |-\n  a\n  b\nrun: |\n  a\n  b\n");
        var folded = yaml("{\"message\":\"" + "couldn't assign flavors ".repeat(6).strip() + "\"}");
        assertThat(folded)
                .isEqualTo(
                        """
                        message: couldn't assign flavors couldn't assign flavors couldn't assign flavors couldn't
                          assign flavors couldn't assign flavors couldn't assign flavors
                        """);
    }

    @Test
    void whatIsWrittenReadsTheSame() {
        var json =
                JSON.readTree(
                        "{\"apiVersion\":\"v1\",\"kind\":\"X\",\"a\":[\"y\",\"~\",\"0x1\",\" s \","
                                + "\"tab\\t\",\"\\u0007\",\"line\\n\\n \\nmore\",1.5,-3,true,null,"
                                + "\"\\n\",\"  lead\\nx\"]}");
        var read = Manifest.read("x", Printer.yaml(json)).complete().getFirst();
        assertThat(Printer.yaml(read.root().json())).isEqualTo(Printer.yaml(json));
        assertThat(read.at("a").json()).hasToString(json.get("a").toString());
    }
}
