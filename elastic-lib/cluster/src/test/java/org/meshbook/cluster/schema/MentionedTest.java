package org.meshbook.cluster.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class MentionedTest {
    private static Mentioned self(String rule) {
        return Mentioned.in(rule, "self");
    }

    private static Mentioned field(String name, Mentioned below) {
        return new Mentioned(Map.of(name, below));
    }

    @Test
    void fieldsThatARuleReadsAreFoundAndCallsAreNone() {
        assertThat(
                        self(
                                "has(self.status.conditions) && self.status.conditions.exists(c, c.type == 'x')"))
                .isEqualTo(field("status", field("conditions", Mentioned.WHOLE)));
        assertThat(self("size(self.levels) == 1")).isEqualTo(field("levels", Mentioned.WHOLE));
    }

    @Test
    void theWholeOfAFieldContainsItsParts() {
        assertThat(self("self.spec.a == 1 && self.spec == oldSelf.spec"))
                .isEqualTo(field("spec", Mentioned.WHOLE));
    }

    @Test
    void whoUsesTheValueItselfReadsAllOfIt() {
        assertThat(self("self == oldSelf")).isEqualTo(Mentioned.WHOLE);
        assertThat(self("self.all(x, x > 1) && self.a == 1")).isEqualTo(Mentioned.WHOLE);
        assertThat(self("self.__namespace__ == 'a'")).isEqualTo(Mentioned.WHOLE);
    }

    @Test
    void theOldValueIsAnotherVariable() {
        assertThat(Mentioned.in("self.a == oldSelf.b", "oldSelf"))
                .isEqualTo(field("b", Mentioned.WHOLE));
    }

    @Test
    void nothingElseIsHandedToTheRule() {
        var json = new JsonMapper().readTree("{\"a\":{\"b\":[1],\"c\":2},\"d\":null,\"e\":3}");
        assertThat(new CelValues().of(json, self("self.a.b[0] == 1 || has(self.f)")))
                .isEqualTo(Map.of("a", Map.of("b", List.of(1L))));
    }
}
