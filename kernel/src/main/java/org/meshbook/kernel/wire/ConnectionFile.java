package org.meshbook.kernel.wire;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Where to listen and how to sign, as the front end wrote it.
///
/// @param transport `tcp` or `ipc`
/// @param ip address for tcp, prefix of the paths for ipc
/// @param ports one for each channel
/// @param scheme signature scheme
/// @param key empty for unsigned messages
/// @param curve keys for encryption; empty for none
public record ConnectionFile(
        String transport,
        String ip,
        Map<Channel, Integer> ports,
        String scheme,
        String key,
        Optional<CurveKeys> curve) {
    public ConnectionFile {
        if (!transport.equals("tcp") && !transport.equals("ipc")) {
            throw new Unusable("transport '" + transport + "' is not known; use tcp or ipc");
        }
        for (var channel : Channel.values()) {
            var port = ports.get(channel);
            if (port == null || port < 0 || port > 65535) {
                throw new Unusable(
                        "port of " + channel.word() + " is " + port + "; give 0 to 65535");
            }
        }
        ports = Map.copyOf(ports);
    }

    /// Without encryption.
    ///
    /// @param transport `tcp` or `ipc`
    /// @param ip address for tcp, prefix of the paths for ipc
    /// @param ports one for each channel
    /// @param scheme signature scheme
    /// @param key empty for unsigned messages
    public ConnectionFile(
            String transport, String ip, Map<Channel, Integer> ports, String scheme, String key) {
        this(transport, ip, ports, scheme, key, Optional.empty());
    }

    /// @param file a connection file
    /// @return what it says
    /// @throws Unusable if it cannot be read or understood
    public static ConnectionFile read(Path file) {
        var json = json(file);
        var ports = new EnumMap<Channel, Integer>(Channel.class);
        for (var channel : Channel.values()) {
            ports.put(channel, json.path(channel.word() + "_port").asInt(-1));
        }
        return new ConnectionFile(
                json.path("transport").asString("tcp"),
                json.path("ip").asString("127.0.0.1"),
                ports,
                json.path("signature_scheme").asString("hmac-sha256"),
                json.path("key").asString(""),
                CurveKeys.of(json));
    }

    /// @return what stands in a file
    static JsonNode json(Path file) {
        try {
            return JsonMapper.shared().readTree(Files.readAllBytes(file));
        } catch (NoSuchFileException e) {
            throw new Unusable("no connection file at '" + file + "'");
        } catch (IOException e) {
            throw new Unusable("connection file '" + file + "' cannot be read: " + e.getMessage());
        } catch (JacksonException e) {
            throw new Unusable(
                    "connection file '" + file + "' is no JSON: " + e.getOriginalMessage());
        }
    }

    /// @param channel one of the five
    /// @return its number: a port for tcp, a suffix of the path for ipc
    public int port(Channel channel) {
        return Objects.requireNonNull(ports.get(channel));
    }

    /// A connection file, or what it asks for, cannot be used; the message is one line.
    public static final class Unusable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Unusable(String message) {
            super(message);
        }
    }
}
