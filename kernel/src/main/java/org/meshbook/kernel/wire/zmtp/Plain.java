package org.meshbook.kernel.wire.zmtp;

import java.util.List;

/// No security: NULL, as the protocol calls it.
///
/// @param own what this end says about itself
record Plain(Metadata own) implements Mechanism {
    @Override
    public String name() {
        return "NULL";
    }

    @Override
    public List<Frame> opening() {
        return List.of(Mechanism.command("READY", own.bytes()));
    }

    @Override
    public Metadata step(Frame command, List<Frame> answers) throws BadPeer {
        return Metadata.read(Mechanism.read(command, "READY"));
    }

    @Override
    public Frame seal(Frame frame) {
        return frame;
    }

    @Override
    public Frame open(Frame frame) {
        return frame;
    }
}
