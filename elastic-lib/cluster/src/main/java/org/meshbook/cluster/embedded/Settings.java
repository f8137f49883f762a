package org.meshbook.cluster.embedded;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.meshbook.cluster.AdmissionHook;
import org.meshbook.cluster.Profile;

/// How an embedded cluster is made.
///
/// @param profile which Kueue's schemas
/// @param folder where objects are kept; empty if they need not outlive the process
/// @param clock wall time
/// @param random where uids and generated names come from
/// @param hooks who looks at each write, in this order
public record Settings(
        Profile profile,
        Optional<Path> folder,
        InstantSource clock,
        RandomGenerator random,
        List<AdmissionHook> hooks) {
    public Settings {
        hooks = List.copyOf(hooks);
    }

    /// @return Kueue 0.17, the machine's clock, no hooks
    public static Settings defaults() {
        return new Settings(
                Profile.V0_17,
                Optional.empty(),
                InstantSource.system(),
                new SecureRandom(),
                List.of());
    }

    public Settings withProfile(Profile other) {
        return new Settings(other, folder, clock, random, hooks);
    }

    /// @param other where objects are kept
    public Settings withFolder(Path other) {
        return new Settings(profile, Optional.of(other), clock, random, hooks);
    }

    public Settings withClock(InstantSource other) {
        return new Settings(profile, folder, other, random, hooks);
    }

    public Settings withRandom(RandomGenerator other) {
        return new Settings(profile, folder, clock, other, hooks);
    }

    public Settings withHooks(List<AdmissionHook> others) {
        return new Settings(profile, folder, clock, random, others);
    }
}
