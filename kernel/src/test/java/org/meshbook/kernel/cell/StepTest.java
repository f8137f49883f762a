package org.meshbook.kernel.cell;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.meshbook.kernel.jshell.Origin;

/// Statements that follow one another are evaluated as one.
class StepTest {
    private static final String LEAD = "%x\n";

    private static List<Step> grouped(List<String> sources, boolean last) {
        var code = LEAD + String.join("\n", sources);
        var snippets = new ArrayList<Step.Snippet>();
        var at = LEAD.length();
        for (var source : sources) {
            snippets.add(new Step.Snippet(source, new Origin(7, code, at)));
            at += source.length() + 1;
        }
        return Step.grouped(snippets, last);
    }

    private static String described(Step step) {
        return switch (step) {
            case Step.Command _ -> "magic";
            case Step.Snippet snippet -> snippet.source();
            case Step.Block block ->
                    block.parts().stream()
                            .map(Step.Snippet::source)
                            .collect(Collectors.joining(" ", "{", "}"));
        };
    }

    @ParameterizedTest(name = "{0} ({1})")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    f(); ~ g(); ~ h();         | false | {f(); g(); h();}
                    f(); ~ g(); ~ h();         | true  | {f(); g();} + h();
                    f(); ~ if (a) { }          | true  | {f(); if (a) { }}
                    int a; ~ f();              | false | int a; + f();
                    f(); ~ int a; ~ g(); ~ h();| false | f(); + int a; + {g(); h();}
                    f(); ~ g(); ~ int a;       | true  | {f(); g();} + int a;
                    f();                       | true  | f();
                    """)
    void statementsAreJoinedUntilSomethingElseComes(String code, boolean last, String steps) {
        var found = grouped(List.of(code.split(" *~ *")), last);
        assertThat(found.stream().map(StepTest::described).collect(Collectors.joining(" + ")))
                .isEqualTo(steps);
    }

    @Test
    void nothingIsNoStep() {
        assertThat(Step.grouped(List.of(), true)).isEmpty();
    }

    @Test
    void aBlockFailsAtItsPlaceInTheCell() {
        var block = (Step.Block) grouped(List.of("f();", "g();"), false).getFirst();
        assertThat(block.source()).isEqualTo("{f();\ng();\n}");
        var place = block.origin().at(block.source().indexOf("g"));
        assertThat(place.cell()).isEqualTo(7);
        assertThat(place.line()).isEqualTo(3);
        assertThat(place.column()).isEqualTo(1);
    }

    @Test
    void aBlockHoldsTwoHundredStatements() {
        var steps = grouped(Stream.generate(() -> "f();").limit(401).toList(), false);
        assertThat(steps).hasSize(3);
        assertThat(((Step.Block) steps.get(0)).parts()).hasSize(200);
        assertThat(((Step.Block) steps.get(1)).parts()).hasSize(200);
        assertThat(steps.get(2)).isInstanceOf(Step.Snippet.class);
    }

    @Test
    void aBlockIsNoLongerThanTwentyThousandCharacters() {
        var long1 = "f(\"" + "x".repeat(9_000) + "\");";
        var steps = grouped(List.of(long1, long1, long1), false);
        assertThat(steps).hasSize(2);
        assertThat(((Step.Block) steps.getFirst()).parts()).hasSize(2);
    }
}
