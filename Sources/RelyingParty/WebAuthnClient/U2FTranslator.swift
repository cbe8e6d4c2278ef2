internal import CBOR
internal import COSE
package import CTAP
internal import WebAuthn

/// A key of CTAP1/U2F alone, as a platform uses it for CTAP2 requests (CTAP 2.3 §10.2, §10.3).
///
/// The platform answers getInfo itself, translates MakeCredential and GetAssertion, and refuses what U2F lacks:
/// discoverable credentials, user verification, other algorithms than ES256.
package struct U2FTranslator: CTAPDevice {
    private enum Failure: Error {
        case refused(CTAPStatus)
        case device(CTAPDeviceError)
    }

    private let key: any U2FDevice
    /// U2F has no keepalives: the platform asks again until the user touches the key; a key waits half a second.
    private static let mostRequests = 60

    package init(_ key: any U2FDevice) { self.key = key }

    package func transceive(
        _ message: [UInt8], onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void
    ) async throws(CTAPDeviceError) -> [UInt8] {
        do throws(Failure) {
            let answer = try await answer(message, onKeepalive)
            return [CTAPStatus.ok.rawValue] + CBOR.encode(answer)
        } catch {
            switch error {
            case .refused(let status): return [status.rawValue]
            case .device(let error): throw error
            }
        }
    }

    private func answer(
        _ message: [UInt8], _ onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void
    ) async throws(Failure) -> CBOR.Value {
        switch CTAPCommand(rawValue: message.first ?? 0) {
        case .getInfo: return info.cbor
        case .makeCredential: return try await make(try read(message, MakeCredentialRequest.init(cbor:)), onKeepalive)
        case .getAssertion: return try await assert(try read(message, GetAssertionRequest.init(cbor:)), onKeepalive)
        default: throw .refused(.invalidCommand)
        }
    }

    private func read<Request>(
        _ message: [UInt8], _ parse: (CBOR.Value) throws(Refusal) -> Request
    ) throws(Failure) -> Request {
        guard let parameters = try? CBOR.decode(message, from: 1, options: .ctap2) else { throw .refused(.invalidCBOR) }
        do {
            return try parse(parameters)
        } catch {
            throw .refused(error.status)
        }
    }

    private var info: AuthenticatorInfo {
        var info = AuthenticatorInfo(versions: ["U2F_V2"], aaguid: .zero)
        info.options = ["rk": false, "up": true]
        info.algorithms = [PublicKeyCredentialParameters(algorithm: .es256)]
        return info
    }

    /// §10.2: a U2F registration becomes an attestation object of the format fido-u2f.
    private func make(
        _ request: MakeCredentialRequest, _ onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void
    ) async throws(Failure) -> CBOR.Value {
        guard request.pubKeyCredParams.contains(where: { $0.algorithm == .es256 }) else {
            throw .refused(.unsupportedAlgorithm)
        }
        try refuseVerification(request.options)
        let application = sha256(Array(request.rp.id.utf8))
        for credential in request.excludeList ?? [] {
            let known = try await send(.authenticate, .checkOnly, application, application, credential.id)
            guard known.status == .conditionsNotSatisfied else { continue }
            // The user's touch hides from the page whether the key knows the credential.
            _ = try await touched(onKeepalive) { () async throws(Failure) in
                try await send(.register, nil, application, application, nil)
            }
            throw .refused(.credentialExcluded)
        }
        let response = try await touched(onKeepalive) { () async throws(Failure) in
            try await send(.register, nil, request.clientDataHash, application, nil)
        }
        guard response.status == .noError, let registration = U2FRegistration(response.data) else {
            throw .refused(.other)
        }
        let data = AuthenticatorData(
            relyingPartyIDHash: application, flags: .userPresent, signCount: 0,
            attestedCredentialData: AttestedCredentialData(
                aaguid: .zero, credentialID: registration.handle, credentialPublicKey: registration.publicKey.cbor))
        return MakeCredentialResponse(
            format: "fido-u2f", authenticatorData: data.encoded,
            attestationStatement: [
                "sig": .bytes(registration.signature), "x5c": .array([.bytes(registration.certificate)]),
            ]
        ).cbor
    }

    /// §10.3: the first credential of the list that the key knows signs.
    private func assert(
        _ request: GetAssertionRequest, _ onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void
    ) async throws(Failure) -> CBOR.Value {
        try refuseVerification(request.options)
        let application = sha256(Array(request.relyingPartyID.utf8))
        let asksForTouch = request.options["up"] != false
        let control = asksForTouch ? U2FControl.enforceUserPresence : .doNotEnforceUserPresence
        for credential in request.allowList ?? [] {
            let known = try await send(.authenticate, .checkOnly, application, application, credential.id)
            guard known.status == .conditionsNotSatisfied else { continue }
            let response = try await touched(onKeepalive) { () async throws(Failure) in
                try await send(.authenticate, control, request.clientDataHash, application, credential.id)
            }
            guard response.status == .noError, response.data.count > 5 else { throw .refused(.other) }
            // The user presence byte has the place of the flags.
            return GetAssertionResponse(
                credential: PublicKeyCredentialDescriptor(id: credential.id),
                authenticatorData: application + [response.data[0] & 0x01] + response.data[1..<5],
                signature: Array(response.data[5...])
            ).cbor
        }
        throw .refused(.noCredentials)
    }

    private func refuseVerification(_ options: [String: Bool]) throws(Failure) {
        guard options["rk"] != true, options["uv"] != true else { throw .refused(.unsupportedOption) }
    }

    // MARK: Messages

    private func send(
        _ instruction: U2FInstruction, _ control: U2FControl?, _ challenge: [UInt8], _ application: [UInt8],
        _ handle: [UInt8]?
    ) async throws(Failure) -> ResponseAPDU {
        let named = handle.map { [UInt8(clamping: $0.count)] + $0.prefix(255) } ?? []
        let request = U2FRequest(
            instruction: instruction, parameter: control?.rawValue ?? 0, data: challenge + application + named)
        do {
            return ResponseAPDU(parsing: try await key.answerU2F(request.encoded)) ?? ResponseAPDU([], .unknown)
        } catch {
            throw .device(error)
        }
    }

    /// Repeats a request until the user touches the key.
    private func touched(
        _ onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void,
        _ send: () async throws(Failure) -> ResponseAPDU
    ) async throws(Failure) -> ResponseAPDU {
        onKeepalive(.userPresenceNeeded)
        for _ in 0..<Self.mostRequests {
            let response = try await send()
            guard response.status == .conditionsNotSatisfied else { return response }
            if Task.isCancelled { throw .refused(.keepaliveCancel) }
        }
        throw .refused(.userActionTimeout)
    }
}

/// A registration response: 0x05 ‖ point (65) ‖ handle length (1) ‖ handle ‖ certificate (DER) ‖ signature (FIDO U2F Raw
/// Message Formats 1.2 §4.3).
private struct U2FRegistration {
    let publicKey: COSE.PublicKey
    let handle: [UInt8]
    let certificate: [UInt8]
    let signature: [UInt8]

    init?(_ data: [UInt8]) {
        guard data.count > 67, data[0] == 0x05, data[1] == 0x04,
            let key = try? COSE.PublicKey(algorithm: .es256, x: Array(data[2..<34]), y: Array(data[34..<66]))
        else { return nil }
        let start = 67 + Int(data[66])
        guard let end = Self.endOfDER(data, from: start), end < data.count else { return nil }
        publicKey = key
        handle = Array(data[67..<start])
        certificate = Array(data[start..<end])
        signature = Array(data[end...])
    }

    /// The end of the DER sequence at a position; its length is written with two bytes or less, as in every certificate.
    private static func endOfDER(_ data: [UInt8], from start: Int) -> Int? {
        guard data.count > start + 4, data[start] == 0x30 else { return nil }
        switch data[start + 1] {
        case ...0x7F: return start + 2 + Int(data[start + 1])
        case 0x81: return start + 3 + Int(data[start + 2])
        case 0x82: return start + 4 + (Int(data[start + 2]) << 8 | Int(data[start + 3]))
        default: return nil
        }
    }
}
