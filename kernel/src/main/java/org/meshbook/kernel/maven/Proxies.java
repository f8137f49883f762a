package org.meshbook.kernel.maven;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Pattern;

/// Chooses the way out for a repository: what settings.xml says, else the JVM's `*.proxyHost`
/// properties, else the environment's `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`.
public final class Proxies {
    private static final List<String> OWN_MACHINE =
            List.of("localhost", "127.*", "[::1]", "0.0.0.0");

    private final List<Settings.Proxy> rules;

    private Proxies(List<Settings.Proxy> rules) {
        this.rules = rules;
    }

    /// @param settings what the user's settings say
    /// @return the rules of this process
    public static Proxies of(Settings settings) {
        return of(settings, System.getProperties(), System.getenv());
    }

    static Proxies of(Settings settings, Properties properties, Map<String, String> environment) {
        var rules = new ArrayList<>(settings.proxies());
        for (var protocol : List.of("https", "http")) {
            property(protocol, properties).ifPresent(rules::add);
        }
        for (var protocol : List.of("https", "http")) {
            variable(protocol, environment).ifPresent(rules::add);
        }
        return new Proxies(List.copyOf(rules));
    }

    private static Optional<Settings.Proxy> property(String protocol, Properties properties) {
        var host = properties.getProperty(protocol + ".proxyHost", "").strip();
        if (host.isEmpty()) {
            return Optional.empty();
        }
        var otherwise = protocol.equals("https") ? "443" : "80";
        var bypass = properties.getProperty("http.nonProxyHosts", "");
        return Optional.of(
                new Settings.Proxy(
                        protocol,
                        host,
                        port(
                                properties.getProperty(protocol + ".proxyPort", otherwise),
                                protocol + ".proxyPort"),
                        properties.getProperty(protocol + ".proxyUser", ""),
                        properties.getProperty(protocol + ".proxyPassword", ""),
                        bypass.isEmpty() ? OWN_MACHINE : List.of(bypass.split("\\|")),
                        protocol + ".proxyHost"));
    }

    private static Optional<Settings.Proxy> variable(String protocol, Map<String, String> env) {
        for (var name : List.of(protocol + "_proxy", "all_proxy")) {
            for (var spelled : List.of(name, name.toUpperCase(Locale.ROOT))) {
                var value = env.getOrDefault(spelled, "").strip();
                if (!value.isEmpty()) {
                    return Optional.of(variable(protocol, spelled, value, env));
                }
            }
        }
        return Optional.empty();
    }

    private static Settings.Proxy variable(
            String protocol, String name, String value, Map<String, String> env) {
        URI uri;
        try {
            uri = URI.create(value.contains("://") ? value : "http://" + value);
        } catch (IllegalArgumentException e) {
            throw new MavenFailure("%s is '%s', which is no URL".formatted(name, value), e);
        }
        if (uri.getHost() == null) {
            throw new MavenFailure("%s is '%s'; write http://host:port".formatted(name, value));
        }
        var given = Optional.ofNullable(uri.getRawUserInfo()).orElse("").split(":", 2);
        return new Settings.Proxy(
                protocol,
                uri.getHost(),
                uri.getPort() < 0 ? 80 : uri.getPort(),
                decoded(given[0]),
                given.length > 1 ? decoded(given[1]) : "",
                bypass(env),
                name);
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static List<String> bypass(Map<String, String> env) {
        var hosts = new ArrayList<>(OWN_MACHINE);
        var said = env.getOrDefault("no_proxy", env.getOrDefault("NO_PROXY", ""));
        for (var each : said.split("[,\\s]+")) {
            if (!each.isEmpty()) {
                // A name stands for itself and for what is below it.
                var name = each.replaceFirst("^\\*?\\.", "").replaceFirst(":\\d+$", "");
                hosts.add(name);
                hosts.add("*." + name);
            }
        }
        return hosts;
    }

    private static int port(String text, String name) {
        try {
            return Integer.parseInt(text.strip());
        } catch (NumberFormatException e) {
            throw new MavenFailure("%s is '%s'; give a number".formatted(name, text), e);
        }
    }

    /// @param url of a repository
    /// @return the proxy that leads to it
    public Optional<Settings.Proxy> of(String url) {
        URI uri;
        try {
            uri = URI.create(url);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        if (uri.getHost() == null || uri.getScheme() == null) {
            return Optional.empty();
        }
        var protocol = uri.getScheme().toLowerCase(Locale.ROOT);
        for (var source : rules.stream().map(Settings.Proxy::source).distinct().toList()) {
            var same = rules.stream().filter(r -> r.source().equals(source)).toList();
            var found =
                    same.stream()
                            .filter(r -> r.protocol().equalsIgnoreCase(protocol))
                            .findFirst()
                            // Maven takes its one proxy for both protocols.
                            .or(
                                    () ->
                                            source.equals("settings.xml")
                                                    ? same.stream().findFirst()
                                                    : Optional.empty());
            if (found.isPresent()) {
                return bypassed(found.get(), uri.getHost()) ? Optional.empty() : found;
            }
        }
        return Optional.empty();
    }

    private static boolean bypassed(Settings.Proxy proxy, String host) {
        return proxy.bypass().stream().anyMatch(pattern -> matches(pattern.strip(), host));
    }

    private static boolean matches(String pattern, String host) {
        var regex = Pattern.quote(pattern).replace("*", "\\E.*\\Q");
        return Pattern.compile(regex, Pattern.CASE_INSENSITIVE).matcher(host).matches();
    }
}
