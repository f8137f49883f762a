package org.meshbook.kernel.cell;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MainHintTest {
    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    void main() { }                                               | main()
                    public static void main(String[] args) { }                    | main(new String[0])
                    static void main(final String... a) { }                       | main(new String[0])
                    class App { public static void main(String[] args) { } }      | App.main(new String[0])
                    public final class App { void main() { } }                    | new App().main()
                    record App(int a) { static void main() { } }                  | App.main()
                    @Deprecated enum App { A; static void main(String[] a) { } }  | App.main(new String[0])
                    """)
    void aProgramThatIsOnlyDeclaredSaysHowToRunIt(String source, String call) {
        assertThat(MainHint.of(source)).contains("declared, not run: " + call + " runs it");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    int main = 5;
                    void mainly() { }
                    void main(int n) { }
                    class App { }
                    class App { String s = "void main("; }
                    new App() { void main() { } };
                    """)
    void whatIsNoProgramNeedsNoWord(String source) {
        assertThat(MainHint.of(source)).isEmpty();
    }
}
