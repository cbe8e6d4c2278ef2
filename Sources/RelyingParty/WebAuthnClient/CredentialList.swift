internal import CBOR
internal import CTAP
internal import WebAuthn

/// An exclude or allow list cut to what a device takes (CTAP 2.3 §6.4 0x05, 0x07, 0x08).
struct CredentialList: Sendable {
    /// What the list may still contain: known types, and IDs no longer than the device makes them.
    let descriptors: [PublicKeyCredentialDescriptor]
    private let maximumCount: Int
    private let maximumBytes: Int

    /// Bytes of a message left to everything but the list and the RP ID: hash, options, pinUvAuthParam.
    private static let otherMembers = 160

    init(_ list: [CredentialDescriptor], info: AuthenticatorInfo, relyingPartyID: String) {
        descriptors = list.filter { descriptor in
            descriptor.type == "public-key"
                && info.maxCredentialIdLength.map { descriptor.id.bytes.count <= $0 } ?? true
        }.map { PublicKeyCredentialDescriptor(id: $0.id.bytes) }
        // A device that names no number promises nothing beyond one.
        maximumCount = max(1, info.maxCredentialCountInList ?? 1)
        maximumBytes = (info.maxMsgSize ?? 1024) - Self.otherMembers - relyingPartyID.utf8.count
    }

    /// The list in pieces that fit one message each.
    var chunks: [[PublicKeyCredentialDescriptor]] {
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

    /// The part of the list to put into the real request: the one credential the device has, or nothing.
    ///
    /// Platforms ask silently first (`up: false`), because lists may be longer than a message. The question is about 32
    /// zero bytes, so that no answer to the relying party's challenge exists before the person agreed.
    ///
    /// - Parameter toOne: whether a list that fits one message is searched as well, to know which credential will answer.
    func narrowed(
        relyingPartyID: String, verification: UserVerification, toOne: Bool = false, session: Session
    ) async throws(WebAuthnClientError) -> [PublicKeyCredentialDescriptor] {
        var pending = chunks
        // Without verification a silent question misses credentials that credProtect hides; the request itself, which
        // carries the uv option, finds them.
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
                // The answer may leave out the credential when it was asked about one alone.
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
