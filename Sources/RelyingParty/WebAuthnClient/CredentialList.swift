internal import CBOR
package import CTAP
package import WebAuthn

/// An exclude or allow list within a device's limits (CTAP 2.3 §6.4 0x05, 0x07, 0x08).
package struct CredentialList: Sendable {
    /// The entries of known type whose ID is not longer than the device's own.
    package let descriptors: [PublicKeyCredentialDescriptor]
    private let maximumCount: Int
    private let maximumBytes: Int

    /// The bytes of a message for everything except the list and the RP ID: hash, options, pinUvAuthParam.
    private static let otherMembers = 160

    package init(_ list: [CredentialDescriptor], info: AuthenticatorInfo, relyingPartyID: String) {
        descriptors = list.filter { descriptor in
            descriptor.type == "public-key"
                && info.maxCredentialIdLength.map { descriptor.id.bytes.count <= $0 } ?? true
        }.map { PublicKeyCredentialDescriptor(id: $0.id.bytes) }
        // A device without this number guarantees only one.
        maximumCount = max(1, info.maxCredentialCountInList ?? 1)
        maximumBytes = (info.maxMsgSize ?? 1024) - Self.otherMembers - relyingPartyID.utf8.count
    }

    /// The list in chunks that fit one message each.
    package var chunks: [[PublicKeyCredentialDescriptor]] {
        var chunks: [[PublicKeyCredentialDescriptor]] = []
        var bytes = 0
        for descriptor in descriptors {
            let size = CBOR.encode(descriptor.cbor).count
            if let last = chunks.last, last.count < maximumCount, bytes + size <= maximumBytes {
                chunks[chunks.count - 1].append(descriptor)
                bytes += size
            } else {
                chunks.append([descriptor])
                bytes = size
            }
        }
        return chunks
    }

    /// The part of the list for the actual request: the one credential the device has, or nothing.
    ///
    /// Platforms first ask without a touch (`up: false`), because lists may be longer than a message; with `toOne` for
    /// any list. A device of one command gets the whole list, and looks itself. The hash is 32 zero bytes, so that the challenge is not answered before the user consents.
    func narrowed(
        relyingPartyID: String, verification: UserVerification, toOne: Bool = false, session: Session
    ) async throws(WebAuthnClientError) -> [PublicKeyCredentialDescriptor] {
        if session.takesOneCommand { return descriptors }
        var pending = chunks
        // Without verification the search misses credentials hidden by credProtect; the request itself, with the uv
        // option, finds them.
        var fallback: [PublicKeyCredentialDescriptor] = []
        if case .option = verification, pending.count == 1 {
            if !toOne { return pending[0] }
            fallback = pending[0]
        }
        let hash = [UInt8](repeating: 0, count: 32)
        let parameters = verification.parameters(over: hash)
        while let chunk = pending.first {
            pending.removeFirst()
            let request = GetAssertionRequest(
                relyingPartyID: relyingPartyID, clientDataHash: hash, allowList: chunk, options: ["up": false],
                pinUvAuthParam: parameters?.param, pinUvAuthProtocol: parameters?.pinProtocol)
            do {
                let found = try await session.send { client async throws(AuthenticatorClient.Failure) in
                    try await client.getAssertion(request)
                }
                // The answer to a list of one may omit the credential.
                return found.credential.map { [PublicKeyCredentialDescriptor(id: $0.id)] } ?? chunk
            } catch {
                switch error.ctapStatus {
                case CTAPStatus.noCredentials?, CTAPStatus.invalidCredential?: continue
                case CTAPStatus.limitExceeded? where chunk.count > 1,
                    CTAPStatus.requestTooLarge? where chunk.count > 1:
                    let half = chunk.count / 2
                    pending.insert(contentsOf: [Array(chunk[..<half]), Array(chunk[half...])], at: 0)
                default: throw error
                }
            }
        }
        return fallback
    }
}
