internal import CBOR
package import CTAP

extension DirectKey {
    // MARK: Credential management

    package func credentialCounts(pin: String?) async throws(SecurityKeyError) -> KeyCredential.Counts {
        let metadata = try await credentialManagement(pin) { client async throws(AuthenticatorClient.Failure) in
            try await client.metadata()
        }
        return KeyCredential.Counts(existing: metadata.existing, remaining: metadata.remaining)
    }

    package func credentials(pin: String?) async throws(SecurityKeyError) -> [KeyCredential] {
        try await credentialManagement(pin) { client async throws(AuthenticatorClient.Failure) in
            var credentials: [KeyCredential] = []
            for party in try await client.relyingParties() {
                for credential in try await client.credentials(ofRPIDHash: party.idHash) {
                    credentials.append(
                        KeyCredential(
                            relyingPartyID: party.entity?.id ?? "?", id: credential.descriptor.id,
                            user: credential.user, algorithm: Self.algorithm(of: credential.publicKey),
                            protection: credential.protection, largeBlobKey: credential.largeBlobKey))
                }
            }
            return credentials
        }
    }

    package func deleteCredential(_ id: [UInt8], pin: String?) async throws(SecurityKeyError) {
        try await credentialManagement(pin) { client async throws(AuthenticatorClient.Failure) in
            try await client.delete(PublicKeyCredentialDescriptor(id: id))
        }
    }

    package func rename(
        _ credential: KeyCredential, name: String, displayName: String?, pin: String?
    ) async throws(SecurityKeyError) {
        let user = PublicKeyCredentialUserEntity(id: credential.user.id, name: name, displayName: displayName)
        try await credentialManagement(pin) { client async throws(AuthenticatorClient.Failure) in
            try await client.update(PublicKeyCredentialDescriptor(id: credential.id), user: user)
        }
    }

    private func credentialManagement<Result: Sendable>(
        _ pin: String?, _ work: (CredentialManagementClient) async throws(AuthenticatorClient.Failure) -> Result
    ) async throws(SecurityKeyError) -> Result {
        let info = try await info()
        try KeyFeature.credentialManagement.require(of: info)
        guard let token = try await token(pin, .credentialManagement) else {
            throw .unsupported("credential management needs a PIN, and none is set on this key")
        }
        return try await withClient { client async throws(AuthenticatorClient.Failure) in
            try await work(
                CredentialManagementClient(client, token: token, usesPreview: info.option(.credMgmt) != true))
        }
    }

    /// COSE's `alg`, label 3.
    private static func algorithm(of key: CBOR.Value?) -> Int? {
        guard case .map(let map)? = key else { return nil }
        return try? map[0x03]?.asInteger("alg")
    }

    // MARK: Fingerprints

    package func sensor() async throws(SecurityKeyError) -> BioEnrollmentClient.SensorInfo {
        try await bioEnrollment(nil, needsToken: false) { client async throws(AuthenticatorClient.Failure) in
            try await client.sensorInfo()
        }
    }

    package func fingerprints(pin: String?) async throws(SecurityKeyError) -> [Fingerprint] {
        try await bioEnrollment(pin) { client async throws(AuthenticatorClient.Failure) in
            try await client.enrollments().map { Fingerprint(id: $0.id, name: $0.friendlyName) }
        }
    }

    package func enrolFingerprint(
        pin: String?, onSample: @escaping @Sendable (EnrollSampleStatus?, _ remaining: Int) -> Void
    ) async throws(SecurityKeyError) -> [UInt8] {
        let id = try await bioEnrollment(pin) { client async throws(AuthenticatorClient.Failure) in
            try await client.enroll { sample in
                onSample(sample.status, sample.remaining)
                return !Task.isCancelled
            }
        }
        guard let id else { throw .refused(.keepaliveCancel) }
        return id
    }

    package func nameFingerprint(_ id: [UInt8], _ name: String, pin: String?) async throws(SecurityKeyError) {
        try await bioEnrollment(pin) { client async throws(AuthenticatorClient.Failure) in
            try await client.rename(id, to: name)
        }
    }

    package func removeFingerprint(_ id: [UInt8], pin: String?) async throws(SecurityKeyError) {
        try await bioEnrollment(pin) { client async throws(AuthenticatorClient.Failure) in
            try await client.remove(id)
        }
    }

    private func bioEnrollment<Result: Sendable>(
        _ pin: String?, needsToken: Bool = true,
        _ work: (BioEnrollmentClient) async throws(AuthenticatorClient.Failure) -> Result
    ) async throws(SecurityKeyError) -> Result {
        let info = try await info()
        try KeyFeature.fingerprints.require(of: info)
        let token = needsToken ? try await token(pin, .bioEnrollment) : nil
        return try await withClient { client async throws(AuthenticatorClient.Failure) in
            try await work(BioEnrollmentClient(client, token: token, usesPreview: info.option(.bioEnroll) == nil))
        }
    }

    // MARK: Large blobs

    package func largeBlob(key: [UInt8]) async throws(SecurityKeyError) -> [UInt8]? {
        try await largeBlobs(nil) { client async throws(AuthenticatorClient.Failure) in try await client.blob(key: key)
        }
    }

    package func setLargeBlob(_ blob: [UInt8]?, key: [UInt8], pin: String?) async throws(SecurityKeyError) {
        let token = try await token(pin, .largeBlobWrite)
        try await largeBlobs(token) { client async throws(AuthenticatorClient.Failure) in
            try await client.write(blob, key: key)
        }
    }

    private func largeBlobs<Result: Sendable>(
        _ token: PINClient.Token?, _ work: (LargeBlobClient) async throws(AuthenticatorClient.Failure) -> Result
    ) async throws(SecurityKeyError) -> Result {
        let info = try await info()
        try KeyFeature.largeBlobs.require(of: info)
        return try await withClient { client async throws(AuthenticatorClient.Failure) in
            try await work(LargeBlobClient(client, info: info, token: token, randomBytes: Self.randomBytes))
        }
    }

    // MARK: Configuration

    package func toggleAlwaysUV(pin: String?) async throws(SecurityKeyError) {
        try await config(pin) { client async throws(AuthenticatorClient.Failure) in try await client.toggleAlwaysUV() }
    }

    package func setMinimumPINLength(_ length: Int, pin: String?) async throws(SecurityKeyError) {
        try await config(pin) { client async throws(AuthenticatorClient.Failure) in
            try await client.setMinPINLength(length)
        }
    }

    package func forcePINChange(pin: String?) async throws(SecurityKeyError) {
        try await config(pin) { client async throws(AuthenticatorClient.Failure) in
            try await client.setMinPINLength(forcesChange: true)
        }
    }

    package func enableEnterpriseAttestation(pin: String?) async throws(SecurityKeyError) {
        try await config(pin) { client async throws(AuthenticatorClient.Failure) in
            try await client.enableEnterpriseAttestation()
        }
    }

    private func config(
        _ pin: String?, _ work: (AuthenticatorConfigClient) async throws(AuthenticatorClient.Failure) -> Void
    ) async throws(SecurityKeyError) {
        try KeyFeature.configuration.require(of: try await info())
        let token = try await token(pin, .authenticatorConfiguration)
        try await withClient { client async throws(AuthenticatorClient.Failure) in
            try await work(AuthenticatorConfigClient(client, token: token))
        }
    }
}
