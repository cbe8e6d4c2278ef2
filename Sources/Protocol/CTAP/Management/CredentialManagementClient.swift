public import CBOR

/// The platform's side of authenticatorCredentialManagement: lists, renames and deletes discoverable credentials (CTAP 2.3 §6.8).
public struct CredentialManagementClient: Sendable {
    private let client: AuthenticatorClient
    private let token: PINClient.Token
    private let usesPreview: Bool

    /// A client with a token of the `cm` permission, or of `pcmr` for reading.
    ///
    /// `usesPreview` is for a device that knows the command by its preview's byte alone.
    public init(_ client: AuthenticatorClient, token: PINClient.Token, usesPreview: Bool = false) {
        self.client = client
        self.token = token
        self.usesPreview = usesPreview
    }

    /// The numbers of discoverable credentials.
    public struct Metadata: Hashable, Sendable {
        /// The number stored on the device.
        public let existing: Int
        /// The most that still fit.
        public let remaining: Int
    }

    /// A relying party with credentials on the device.
    public struct RelyingParty: Hashable, Sendable {
        /// Its ID, possibly truncated by the device, and its name.
        public let entity: PublicKeyCredentialRPEntity?
        /// SHA-256 of its ID.
        public let idHash: [UInt8]
    }

    /// A credential on the device.
    public struct Credential: Hashable, Sendable {
        /// Its ID.
        public let descriptor: PublicKeyCredentialDescriptor
        /// Its account.
        public let user: PublicKeyCredentialUserEntity
        /// Its public key as COSE.
        public let publicKey: CBOR.Value?
        /// Its protection level, 1 to 3.
        public let protection: Int?
        /// The key of its large blob, 32 bytes.
        public let largeBlobKey: [UInt8]?
        /// Whether it may be used for payments on other sites.
        public let allowsThirdPartyPayment: Bool?
    }

    /// getCredsMetadata.
    public func metadata() async throws(AuthenticatorClient.Failure) -> Metadata {
        let response = try await send(CredentialManagementRequest(subCommand: .getCredsMetadata))
        return Metadata(
            existing: response.existingResidentCredentialsCount ?? 0,
            remaining: response.maxPossibleRemainingResidentCredentialsCount ?? 0)
    }

    /// Every relying party, by enumerateRPsBegin and its successors; none when there are no credentials.
    public func relyingParties() async throws(AuthenticatorClient.Failure) -> [RelyingParty] {
        let answers = try await enumerate(
            CredentialManagementRequest(subCommand: .enumerateRPsBegin), next: .enumerateRPsGetNextRP,
            count: \.totalRPs)
        var parties: [RelyingParty] = []
        for answer in answers {
            guard let hash = answer.rpIDHash else {
                throw .invalidResponse(.credentialManagement, "it names no relying party")
            }
            parties.append(RelyingParty(entity: answer.rp, idHash: hash))
        }
        return parties
    }

    /// Every credential of a relying party, by enumerateCredentialsBegin and its successors.
    ///
    /// - Parameter idHash: SHA-256 of the RP ID.
    public func credentials(ofRPIDHash idHash: [UInt8]) async throws(AuthenticatorClient.Failure) -> [Credential] {
        var request = CredentialManagementRequest(subCommand: .enumerateCredentialsBegin)
        request.rpIDHash = idHash
        var credentials: [Credential] = []
        for answer in try await enumerate(
            request, next: .enumerateCredentialsGetNextCredential, count: \.totalCredentials)
        {
            guard let descriptor = answer.credentialID, let user = answer.user else {
                throw .invalidResponse(.credentialManagement, "it names no credential")
            }
            credentials.append(
                Credential(
                    descriptor: descriptor, user: user, publicKey: answer.publicKey, protection: answer.credProtect,
                    largeBlobKey: answer.largeBlobKey, allowsThirdPartyPayment: answer.thirdPartyPayment))
        }
        return credentials
    }

    /// deleteCredential; its large blob stays; ``LargeBlobClient/write(_:key:)`` deletes it.
    public func delete(_ credential: PublicKeyCredentialDescriptor) async throws(AuthenticatorClient.Failure) {
        var request = CredentialManagementRequest(subCommand: .deleteCredential)
        request.credentialID = credential
        _ = try await send(request)
    }

    /// updateUserInformation; the user handle must be the one the credential has.
    public func update(
        _ credential: PublicKeyCredentialDescriptor, user: PublicKeyCredentialUserEntity
    ) async throws(AuthenticatorClient.Failure) {
        var request = CredentialManagementRequest(subCommand: .updateUserInformation)
        request.credentialID = credential
        request.user = user
        _ = try await send(request)
    }

    private func send(
        _ request: CredentialManagementRequest
    ) async throws(AuthenticatorClient.Failure) -> CredentialManagementResponse {
        try await client.credentialManagement(request.authenticated(by: token), preview: usesPreview)
    }

    private func enumerate(
        _ begin: CredentialManagementRequest, next: CredentialManagementSubcommand,
        count: (CredentialManagementResponse) -> Int?
    ) async throws(AuthenticatorClient.Failure) -> [CredentialManagementResponse] {
        let first: CredentialManagementResponse
        do {
            first = try await send(begin)
        } catch {
            guard error.status == .noCredentials else { throw error }
            return []
        }
        let total = count(first) ?? 0
        // Some devices answer that there are none rather than refuse.
        guard total > 0 else { return [] }
        var answers = [first]
        while answers.count < total {
            answers.append(
                try await client.credentialManagement(
                    CredentialManagementRequest(subCommand: next), preview: usesPreview))
        }
        return answers
    }
}
