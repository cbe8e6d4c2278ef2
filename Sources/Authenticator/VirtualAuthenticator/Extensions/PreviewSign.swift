internal import CBOR
internal import COSE
internal import CTAP
internal import Causes
internal import WebAuthn

/// The evidence of the user that each signature of a signing key needs, in the bits of authenticator data's flags.
enum SigningRequirement: Int, Sendable {
    case none = 0b000
    case userPresence = 0b001
    case userVerification = 0b101
}

/// The signing key that a registration asks for.
struct SigningKeyRequest: Sendable {
    let algorithm: COSE.Algorithm
    let requirement: SigningRequirement
}

/// The signature that an assertion asks of a signing key.
struct SignatureRequest: Sendable {
    let handle: [UInt8]
    let data: [UInt8]
}

/// previewSign: a key beside a credential that signs arbitrary data (yubicolabs.github.io/webauthn-sign-extension, draft
/// 4), with keys of the device's own algorithms; ARKG, which derives keys from a seed, is not implemented.
///
/// The key is sealed in its handle, as a credential is in its ID: it needs no storage, and a reset ends it.
extension VirtualAuthenticator {
    private static func reason(_ cause: Cause) -> RefusalReason {
        RefusalReason("previewSign", cause, "webauthn-sign-extension draft 4")
    }

    /// Reads `{3: [algorithm, …], 4: flags}`; the flags are 1 unless given.
    ///
    /// - Throws: 0x2C for other flags than 0, 1 and 5, 0x26 without a supported algorithm.
    func signingKeyRequest(_ extensions: [String: CBOR.Value]) throws(Refusal) -> SigningKeyRequest? {
        let input = try extensionInput(.previewSign, extensions) { value, path throws(CBOR.AccessError) in
            let map = try value.asMap(path)
            var algorithms: [COSE.Algorithm] = []
            for item in try map.required(0x03, "\(path).alg").asArray("\(path).alg") {
                algorithms.append(COSE.Algorithm(rawValue: try item.asInteger("\(path).alg")))
            }
            return (algorithms: algorithms, flags: try map[0x04]?.asUnsigned("\(path).flags") ?? 1)
        }
        guard let input else { return nil }
        guard let requirement = SigningRequirement(rawValue: input.flags) else {
            throw Refusal(.invalidOption, Self.reason(.unsupported), detail: "flags \(input.flags)")
        }
        let algorithm = input.algorithms.first {
            configuration.possibleAlgorithms.contains($0) && SealedCredential.fits($0)
        }
        guard let algorithm else { throw Refusal(.unsupportedAlgorithm, Self.reason(.noSupportedAlgorithm)) }
        return SigningKeyRequest(algorithm: algorithm, requirement: requirement)
    }

    /// The signed output, `{3: algorithm}`, and the unsigned one, `{7: attestation object}`, which attests to the key
    /// under its handle and states `{4: flags}` in turn.
    func makeSigningKey(
        _ wanted: SigningKeyRequest, beside credential: StoredCredential, userVerified: Bool,
        _ request: MakeCredentialRequest, _ context: CommandContext
    ) throws(Refusal) -> (signed: CBOR.Value, unsigned: CBOR.Value) {
        let privateKey = try newPrivateKey(wanted.algorithm, context, randomBytes: environment.random.bytes)
        let content: CBOR.Map = [
            1: .integer(wanted.algorithm.rawValue), 2: .bytes(privateKey.rawRepresentation),
            3: .integer(wanted.requirement.rawValue),
        ]
        let handle = SealedCredential.seal(
            content, under: state.settings.sealingKey, nonce: environment.random.bytes(12),
            authenticating: Self.scope(of: credential))
        guard let handle else { throw Refusal(.other, Self.reason(.sealingFailed)) }
        let key = StoredCredential(
            id: handle, relyingPartyID: credential.relyingPartyID, user: credential.user, isDiscoverable: false,
            isBackupEligible: false, isBackedUp: false, protection: .userVerificationOptional, privateKey: privateKey)
        let plan = attestationPlan(request, wanted.algorithm)
        let data = AuthenticatorData(
            relyingPartyIDHash: key.relyingPartyIDHash,
            flags: userVerified ? [.userPresent, .userVerified] : .userPresent, signCount: 0,
            attestedCredentialData: AttestedCredentialData(
                aaguid: aaguid(for: plan), credentialID: handle, credentialPublicKey: key.publicKey.cbor),
            extensions: [
                .text(AuthenticatorExtension.previewSign.rawValue): [4: .integer(wanted.requirement.rawValue)]
            ])
        let attestation = try attestationResponse(key, request, plan, authenticatorData: data.encoded, context)
        return (signed: [3: .integer(wanted.algorithm.rawValue)], unsigned: [7: .bytes(CBOR.encode(attestation.cbor))])
    }

    /// Reads `{2: handle, 6: data}`.
    ///
    /// - Throws: 0x2C without an allow list, because a handle belongs to one credential, and without a member.
    func signatureRequest(_ request: GetAssertionRequest) throws(Refusal) -> SignatureRequest? {
        let input = try extensionInput(.previewSign, request.extensions) { value, path throws(CBOR.AccessError) in
            let map = try value.asMap(path)
            return (handle: try map[0x02]?.asBytes("\(path).kh"), data: try map[0x06]?.asBytes("\(path).tbs"))
        }
        guard let input else { return nil }
        guard let handle = input.handle, let data = input.data else {
            let member = input.handle == nil ? "kh (2)" : "tbs (6)"
            throw Refusal(.invalidOption, Self.reason(.missingParameter), detail: "\(member) is missing")
        }
        guard request.allowList?.isEmpty == false else {
            throw Refusal(.invalidOption, Self.reason(.parameterMissing), detail: "allowList is missing")
        }
        return SignatureRequest(handle: handle, data: data)
    }

    /// Signs with the key of a handle: `{6: signature}`.
    ///
    /// - Throws: 0x22 for a handle that is not one of this credential, 0x3B or 0x36 when the key needs more of the user.
    func signature(
        _ request: SignatureRequest, beside credential: StoredCredential, _ terms: AssertionTerms
    ) throws(Refusal) -> CBOR.Value {
        let content = SealedCredential.open(
            request.handle, under: state.settings.sealingKey, authenticating: Self.scope(of: credential))
        guard let content, let number = try? content[1]?.asInteger("alg"), case .bytes(let raw)? = content[2],
            let requirement = (try? content[3]?.asUnsigned("flags")).flatMap(SigningRequirement.init),
            let key = try? COSE.PrivateKey(algorithm: COSE.Algorithm(rawValue: number), rawRepresentation: raw)
        else { throw Refusal(.invalidCredential, Self.reason(.noSuchCredential)) }
        switch requirement {
        case .userPresence where !terms.userPresent: throw Refusal(.upRequired, Self.reason(.upFalse))
        case .userVerification where !terms.userPresent || !terms.userVerified:
            throw Refusal(.puatRequired, Self.reason(.userVerificationRequired))
        case .none, .userPresence, .userVerification: break
        }
        do {
            let mode = environment.signing.possible(for: key.algorithm)
            return [6: .bytes(try key.sign(request.data, mode: mode))]
        } catch {
            throw Refusal(.other, Self.reason(.signingFailed), detail: "\(error)")
        }
    }

    /// A handle opens for its credential only.
    private static func scope(of credential: StoredCredential) -> [UInt8] {
        Array("previewSign".utf8) + credential.relyingPartyIDHash + credential.id
    }
}
