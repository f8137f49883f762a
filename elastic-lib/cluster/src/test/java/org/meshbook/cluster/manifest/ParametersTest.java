package org.meshbook.cluster.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ParametersTest {
    @Test
    void knownNamesAreFilledAndOthersStayAndAreNamed() {
        var filled =
                Parameters.fill(
                        "name: job-${JOB_ID}\npool: ${POOL}\nrun: echo $HOME $(X) ${POOL} ${1}\n",
                        Map.of("JOB_ID", "$1"));
        assertThat(filled.text())
                .isEqualTo("name: job-$1\npool: ${POOL}\nrun: echo $HOME $(X) ${POOL} ${1}\n");
        assertThat(filled.open()).containsExactly("POOL");
    }
}
