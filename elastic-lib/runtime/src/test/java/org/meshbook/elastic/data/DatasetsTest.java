package org.meshbook.elastic.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.Shape;

final class DatasetsTest {
    @Test
    void digitsAreAllThereAndInRange() {
        var digits = Datasets.digits();
        assertThat(digits.count()).isEqualTo(1797);
        assertThat(digits.pixels().shape()).isEqualTo(Shape.of(1797, 64));
        assertThat(digits.pixels().max().item()).isEqualTo(1);
        assertThat(digits.pixels().min().item()).isZero();
        // As the source counts them: 178 zeros, and the first image is one.
        assertThat(digits.digit().at(0).item()).isZero();
        assertThat(digits.digit().eq(0).cast(DType.I32).sum().item()).isEqualTo(178);
    }

    @Test
    void textIsProseThatCanBeReadBack() {
        var text = Datasets.text();
        assertThat(text.characters().shape()).isEqualTo(Shape.of(1_146_638));
        assertThat(text.alphabet()).hasSize(96).startsWith("\n !\"#").endsWith("}~");
        var start = text.decode(text.characters().slice(0, 0, 9));
        assertThat(start).isEqualTo("/dev/null");
        assertThat(text.encode(start)).isEqualTo(text.characters().slice(0, 0, 9));
    }

    @Test
    void aCharacterThatTheTextDoesNotHaveIsNamed() {
        var text = Datasets.text();
        assertThatThrownBy(() -> text.encode("naïve"))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("'ï' is not in the alphabet");
    }
}
