package org.meshbook.kernel.maven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Coordinates as they are typed, and the proxy for an address.
class CoordinatesTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            textBlock =
                    """
                    g:a:1                    | g:a:1
                    g:a                      | g:a
                    g:a:pom:1                | g:a:pom:1
                    g:a:jar:linux-x86_64:1   | g:a:jar:linux-x86_64:1
                    g:a::linux:1             | g:a:jar:linux:1
                    g:a:1:linux@zip          | g:a:zip:linux:1
                    g:a:1@so                 | g:a:so:1
                    g:a:1:linux              | g:a:jar:linux:1
                    g:a:[1,2)                | g:a:[1,2)
                    g:a:1-SNAPSHOT           | g:a:1-SNAPSHOT
                    """)
    void formsOfCoordinates(String typed, String meant) {
        assertThat(Coordinates.parse(typed)).hasToString(meant);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                ":",
                "a:",
                "g:a:1:2:3:4",
                "g a:b:1",
                "g:a:1 2",
                "../x:a:1",
                "g:a:1:b:c@x"
            })
    void whatNamesNothingIsRefusedInOneLine(String typed) {
        assertThatThrownBy(() -> Coordinates.parse(typed))
                .isInstanceOf(MavenFailure.class)
                .hasMessageContaining("names no Maven artifact")
                .hasMessageNotContaining("\n");
    }

    private static String proxy(
            Map<String, String> properties, Map<String, String> env, String url) {
        var all = new Properties();
        all.putAll(properties);
        return Proxies.of(Settings.NONE, all, env).of(url).map(Object::toString).orElse("none");
    }

    @Test
    void propertiesAndEnvironmentNameProxies() {
        var https = Map.of("https.proxyHost", "p", "https.proxyPort", "99");
        assertThat(proxy(https, Map.of(), "https://repo.x/m"))
                .isEqualTo("proxy p:99 (https.proxyHost)");
        assertThat(proxy(https, Map.of(), "http://repo.x/m")).isEqualTo("none");
        assertThat(proxy(https, Map.of(), "https://localhost/m")).isEqualTo("none");
        var env = Map.of("HTTPS_PROXY", "http://u:p%40w@q:3128", "NO_PROXY", "inside.net,.corp");
        assertThat(proxy(Map.of(), env, "https://repo.x/m"))
                .isEqualTo("proxy q:3128 (HTTPS_PROXY)");
        assertThat(proxy(https, env, "https://repo.x/m")).isEqualTo("proxy p:99 (https.proxyHost)");
        assertThat(proxy(Map.of(), env, "https://a.inside.net/m")).isEqualTo("none");
        assertThat(proxy(Map.of(), env, "https://corp/m")).isEqualTo("none");
        assertThat(proxy(Map.of(), env, "https://x.corp/m")).isEqualTo("none");
        assertThat(proxy(Map.of(), env, "file:/tmp/x")).isEqualTo("none");
        assertThat(Proxies.of(Settings.NONE, new Properties(), env).of("https://r/").orElseThrow())
                .satisfies(p -> assertThat(p.user()).isEqualTo("u"))
                .satisfies(p -> assertThat(p.secret()).isEqualTo("p@w"));
        assertThatThrownBy(() -> proxy(Map.of(), Map.of("http_proxy", "http://:x"), "http://r/"))
                .isInstanceOf(MavenFailure.class)
                .hasMessageContaining("http_proxy");
    }

    @Test
    void settingsComeBeforeTheEnvironment() {
        var settings =
                new Settings(
                        java.util.Optional.empty(),
                        false,
                        List.of(),
                        List.of(
                                new Settings.Proxy(
                                        "http", "s", 1, "", "", List.of("*.in"), "settings.xml")),
                        List.of(),
                        List.of());
        var proxies = Proxies.of(settings, new Properties(), Map.of("https_proxy", "e:2"));
        assertThat(proxies.of("https://r.out/").orElseThrow())
                .hasToString("proxy s:1 (settings.xml)");
        assertThat(proxies.of("https://r.in/")).isEmpty();
    }
}
