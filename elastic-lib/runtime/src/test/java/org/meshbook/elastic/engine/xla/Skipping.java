package org.meshbook.elastic.engine.xla;

/// Whether tests of XLA can run.
final class Skipping {
    private Skipping() {}

    static boolean isInstalled() {
        return Plugin.find().isPresent();
    }
}
