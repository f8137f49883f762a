package org.meshbook.cluster.embedded;

import org.meshbook.cluster.AdmissionHook;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.random.RandomGenerator;

/// How an embedded cluster is made.
///
/// @param clock wall time
/// @param random where uids and generated names come from
/// @param hooks who looks at each write, in this order
public record Settings(InstantSource clock, RandomGenerator random, List<AdmissionHook> hooks) {
    public Settings {
        hooks = List.copyOf(hooks);
    }

    /// @return the machine's clock, no hooks
    public static Settings defaults() {
        return new Settings(InstantSource.system(), new SecureRandom(), List.of());
    }

    public Settings withClock(InstantSource other) {
        return new Settings(other, random, hooks);
    }

    public Settings withRandom(RandomGenerator other) {
        return new Settings(clock, other, hooks);
    }

    public Settings withHooks(List<AdmissionHook> others) {
        return new Settings(clock, random, others);
    }
}
