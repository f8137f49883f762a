package org.dflib.jjava.jupyter.kernel;

import tools.jackson.databind.json.JsonMapper;

/// The content of a connection file.
public class KernelConnectionProperties {
    private final String ip;
    private final int controlPort;
    private final int shellPort;
    private final int stdinPort;
    private final int hbPort;
    private final int iopubPort;
    private final String transport;
    private final String signatureScheme;
    private final String key;

    public KernelConnectionProperties(
            String ip,
            int controlPort,
            int shellPort,
            int stdinPort,
            int hbPort,
            int iopubPort,
            String transport,
            String signatureScheme,
            String key) {
        this.ip = ip;
        this.controlPort = controlPort;
        this.shellPort = shellPort;
        this.stdinPort = stdinPort;
        this.hbPort = hbPort;
        this.iopubPort = iopubPort;
        this.transport = transport;
        this.signatureScheme = signatureScheme;
        this.key = key;
    }

    /// @param json a connection file's text
    /// @return what it says
    public static KernelConnectionProperties parse(String json) {
        var tree = JsonMapper.builder().build().readTree(json);
        return new KernelConnectionProperties(
                tree.path("ip").asString(""),
                tree.path("control_port").asInt(0),
                tree.path("shell_port").asInt(0),
                tree.path("stdin_port").asInt(0),
                tree.path("hb_port").asInt(0),
                tree.path("iopub_port").asInt(0),
                tree.path("transport").asString(""),
                tree.path("signature_scheme").asString(""),
                tree.path("key").asString(""));
    }

    public String getIp() {
        return ip;
    }

    public int getControlPort() {
        return controlPort;
    }

    public int getShellPort() {
        return shellPort;
    }

    public int getStdinPort() {
        return stdinPort;
    }

    public int getHbPort() {
        return hbPort;
    }

    public int getIopubPort() {
        return iopubPort;
    }

    public String getTransport() {
        return transport;
    }

    public String getSignatureScheme() {
        return signatureScheme;
    }

    public String getKey() {
        return key;
    }
}
