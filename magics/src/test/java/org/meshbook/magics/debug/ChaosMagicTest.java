package org.meshbook.magics.debug;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ServiceLoader;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.meshbook.kernel.spi.Extension;
import org.meshbook.magics.daily.Session;

@Timeout(120)
class ChaosMagicTest {
    private static Session session;

    @BeforeAll
    static void open() {
        session =
                new Session(
                        ServiceLoader.load(Extension.class).stream().map(p -> p.get()).toList());
    }

    @AfterAll
    static void close() {
        session.close();
    }

    @ParameterizedTest(name = "%chaos {0}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    kil slice=2          | no fault is named 'kil'; there are | did you mean kill?
                    kill,stopp           | no fault is named 'stopp'; there are | did you mean stop?
                    kill slcie=2         | does not understand 'slcie=2' | did you mean slice?
                    kill 2               | does not understand '2' | %chaos kill slice=2 at step=130
                    kill slice=two       | slice is 'two' | give a whole number
                    slow for=2           | for is '2' | give a time with its unit, as 200ms
                    slow share=2         | share is '2' | as 0.5
                    kill step=3 every=4  | step= and every= together | one fault at a step
                    kill slice=2         | no slices | %slices
                    """)
    void whatDoesNotFitIsSaidInOneLine(String words, String what, String next) {
        var ran = session.run("%chaos " + words);
        assertThat(ran.error()).contains(what).contains(next).doesNotContain("\n");
    }
}
