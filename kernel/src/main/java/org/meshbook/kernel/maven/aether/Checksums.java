package org.meshbook.kernel.maven.aether;

import org.eclipse.aether.RepositorySystemSession;
import org.eclipse.aether.internal.impl.DefaultChecksumPolicyProvider;
import org.eclipse.aether.repository.RemoteRepository;
import org.eclipse.aether.repository.RepositoryPolicy;
import org.eclipse.aether.spi.connector.checksum.ChecksumPolicy;
import org.eclipse.aether.spi.connector.checksum.ChecksumPolicyProvider;
import org.eclipse.aether.supplier.RepositorySystemSupplier;
import org.eclipse.aether.transfer.ChecksumFailureException;
import org.eclipse.aether.transfer.TransferResource;
import org.jspecify.annotations.Nullable;

/// Maven's own rule, but that a wrong checksum is an error by default, where Maven only warns: a
/// warning is soon out of sight in a notebook. A repository without checksums is taken as it is,
/// unless its policy is `fail`.
final class Checksums implements ChecksumPolicyProvider {
    private final ChecksumPolicyProvider usual = new DefaultChecksumPolicyProvider();

    /// Makes the library with this rule in it.
    static final class Supplier extends RepositorySystemSupplier {
        @Override
        protected ChecksumPolicyProvider createChecksumPolicyProvider() {
            return new Checksums();
        }
    }

    @Override
    public @Nullable ChecksumPolicy newChecksumPolicy(
            RepositorySystemSession session,
            RemoteRepository repository,
            TransferResource resource,
            String policy) {
        return policy.equals(RepositoryPolicy.CHECKSUM_POLICY_WARN)
                ? new Right()
                : usual.newChecksumPolicy(session, repository, resource, policy);
    }

    @Override
    public String getEffectiveChecksumPolicy(
            RepositorySystemSession session, String one, String other) {
        return usual.getEffectiveChecksumPolicy(session, one, other);
    }

    /// Takes what has the right checksum, or none.
    private static final class Right implements ChecksumPolicy {
        @Override
        public boolean onChecksumMatch(String algorithm, ChecksumKind kind) {
            return true;
        }

        @Override
        public void onChecksumMismatch(
                String algorithm, ChecksumKind kind, ChecksumFailureException exception)
                throws ChecksumFailureException {
            throw exception;
        }

        @Override
        public void onChecksumError(
                String algorithm, ChecksumKind kind, ChecksumFailureException exception) {}

        @Override
        public void onNoMoreChecksums() {}

        @Override
        public void onTransferRetry() {}

        @Override
        public boolean onTransferChecksumFailure(ChecksumFailureException exception) {
            return false;
        }
    }
}
