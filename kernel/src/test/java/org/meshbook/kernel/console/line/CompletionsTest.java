package org.meshbook.kernel.console.line;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CompletionsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "String String.substring(int begin)          | substring( | String substring(int"
                        + " begin)",
                "java.lang.String java.lang.Object.toString() | toString() | String toString()",
                "int x                                       | x          | int x",
                "java.io.PrintStream System.out              | out        | PrintStream out",
                "java.util.stream.Stream<R> java.util.stream.Stream<T extends"
                        + " Object>.<R>map(java.util.function.Function<? super T, ? extends R> mapper)"
                        + " | map( | Stream<R> map(Function<? super T, ? extends R> mapper)",
                "java.util.Map<K, V> Map.of(K k1, V v1)      | of(        | Map<K, V> of(K k1, V"
                        + " v1)",
                "java.lang.String                            | String     | String",
                "%time: Runs a line and says how long        | time       | Runs a line and says"
                        + " how long",
                "ArrayList<E>(int capacity)                  | ArrayList( | ArrayList<E>(int"
                        + " capacity)",
            })
    void whatTheMatchSaysIsNotRepeated(String line, String match, String brief) {
        assertThat(Completions.brief(line, match)).isEqualTo(brief);
    }

    @Test
    void oddMatchesAreNoError() {
        assertThat(Completions.brief("a(b", "(")).isNotNull();
        assertThat(Completions.brief("", "[x]")).isEmpty();
    }
}
