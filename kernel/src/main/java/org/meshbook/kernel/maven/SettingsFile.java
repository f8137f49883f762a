package org.meshbook.kernel.maven;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.w3c.dom.Element;

/// Reads `settings.xml`. Format: https://maven.apache.org/settings.html
final class SettingsFile {
    private static final Pattern REFERENCE = Pattern.compile("\\$\\{([^}]+)}");

    private SettingsFile() {}

    /// @return what the user's file says, and below it the installation's
    /// @throws MavenFailure if one is there but cannot be read
    static Settings ofUser() {
        var user = System.getProperty("meshbook.maven.settings", "");
        var own =
                user.isEmpty()
                        ? Path.of(System.getProperty("user.home"), ".m2", "settings.xml")
                        : Path.of(user);
        var settings = Files.exists(own) ? read(own) : Settings.NONE;
        return installation().map(file -> settings.over(read(file))).orElse(settings);
    }

    private static Optional<Path> installation() {
        for (var home :
                new String[] {
                    System.getProperty("maven.home"),
                    System.getenv("MAVEN_HOME"),
                    System.getenv("M2_HOME")
                }) {
            if (home != null && !home.isEmpty()) {
                var file = Path.of(home, "conf", "settings.xml");
                if (Files.exists(file)) {
                    return Optional.of(file);
                }
            }
        }
        return Optional.empty();
    }

    /// @param file a settings file
    /// @return what it says
    /// @throws MavenFailure if it cannot be read
    static Settings read(Path file) {
        try {
            var root = Xml.parse(Files.readString(file), file.toString());
            return new Settings(
                    text(root, "localRepository").map(Path::of),
                    flag(root, "offline", false),
                    mirrors(root),
                    proxies(root),
                    servers(root),
                    repositories(root));
        } catch (IOException e) {
            throw new MavenFailure("cannot read '%s': %s".formatted(file, e.getMessage()), e);
        }
    }

    private static List<Settings.Mirror> mirrors(Element root) {
        var found = new ArrayList<Settings.Mirror>();
        for (var each : Xml.children(root, "mirrors", "mirror")) {
            found.add(
                    new Settings.Mirror(
                            text(each, "id").orElse("mirror"),
                            text(each, "url").orElse(""),
                            text(each, "mirrorOf").orElse(""),
                            flag(each, "blocked", false)));
        }
        return found;
    }

    private static List<Settings.Proxy> proxies(Element root) {
        var found = new ArrayList<Settings.Proxy>();
        for (var each : Xml.children(root, "proxies", "proxy")) {
            if (!flag(each, "active", true)) {
                continue;
            }
            var bypass = text(each, "nonProxyHosts").orElse("");
            found.add(
                    new Settings.Proxy(
                            text(each, "protocol").orElse("http"),
                            text(each, "host").orElse("localhost"),
                            port(text(each, "port").orElse("8080")),
                            text(each, "username").orElse(""),
                            text(each, "password").orElse(""),
                            bypass.isEmpty() ? List.of() : List.of(bypass.split("[|,]")),
                            "settings.xml"));
        }
        return found;
    }

    private static int port(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new MavenFailure(
                    "a proxy in settings.xml has the port '%s'; give a number".formatted(text), e);
        }
    }

    private static List<Settings.Server> servers(Element root) {
        var found = new ArrayList<Settings.Server>();
        for (var each : Xml.children(root, "servers", "server")) {
            found.add(
                    new Settings.Server(
                            text(each, "id").orElse(""),
                            text(each, "username").orElse(""),
                            text(each, "password").orElse("")));
        }
        return found;
    }

    private static List<Repository> repositories(Element root) {
        var named = new HashSet<String>();
        for (var each : Xml.children(root, "activeProfiles", "activeProfile")) {
            named.add(interpolated(each.getTextContent().strip()));
        }
        var found = new ArrayList<Repository>();
        for (var profile : Xml.children(root, "profiles", "profile")) {
            if (active(profile, named)) {
                for (var each : Xml.children(profile, "repositories", "repository")) {
                    found.add(repository(each));
                }
            }
        }
        return found;
    }

    private static boolean active(Element profile, Set<String> named) {
        if (named.contains(text(profile, "id").orElse(""))) {
            return true;
        }
        return Xml.child(profile, "activation").map(SettingsFile::activated).orElse(false);
    }

    private static boolean activated(Element activation) {
        if (flag(activation, "activeByDefault", false)) {
            return true;
        }
        return Xml.child(activation, "property")
                .map(
                        property -> {
                            var name = text(property, "name").orElse("");
                            var wanted = text(property, "value");
                            var found = property(name.replaceFirst("^!", ""));
                            return name.startsWith("!")
                                    ? found.isEmpty()
                                    : found.isPresent()
                                            && (wanted.isEmpty() || wanted.equals(found));
                        })
                .orElse(false);
    }

    /// @param element a `repository` of a settings file or a project
    static Repository repository(Element element) {
        return new Repository(
                text(element, "id").orElse("repository"),
                text(element, "url").orElse(""),
                policy(element, "releases"),
                policy(element, "snapshots"));
    }

    private static Repository.Policy policy(Element repository, String name) {
        return Xml.child(repository, name)
                .map(
                        each ->
                                new Repository.Policy(
                                        flag(each, "enabled", true),
                                        text(each, "updatePolicy").orElse("daily"),
                                        text(each, "checksumPolicy").orElse("")))
                .orElse(Repository.Policy.DAILY);
    }

    private static boolean flag(Element element, String name, boolean otherwise) {
        return text(element, name).map(Boolean::parseBoolean).orElse(otherwise);
    }

    private static Optional<String> text(Element element, String name) {
        return Xml.child(element, name)
                .map(child -> interpolated(child.getTextContent().strip()))
                .filter(text -> !text.isEmpty());
    }

    private static String interpolated(String text) {
        return REFERENCE
                .matcher(text)
                .replaceAll(
                        match ->
                                Matcher.quoteReplacement(
                                        property(match.group(1)).orElse(match.group())));
    }

    private static Optional<String> property(String name) {
        return Optional.ofNullable(
                name.startsWith("env.")
                        ? System.getenv(name.substring(4))
                        : System.getProperty(name));
    }
}
