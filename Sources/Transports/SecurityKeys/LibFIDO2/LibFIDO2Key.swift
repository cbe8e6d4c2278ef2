internal import CBOR
internal import CFIDO2
internal import COSE
package import CTAP
internal import CTAPHID
internal import Foundation
internal import Synchronization

/// A key managed by libfido2.
package struct LibFIDO2Key: SecurityKey {
    let device: LibFIDO2Device
    private let lastAnswer: LastAnswer

    /// Opens a key for as long as `use` runs; `onTraffic` gets the messages of a `reports` connection.
    package static func with<Result: Sendable>(
        _ connection: LibFIDO2Connection,
        onTraffic: @escaping @Sendable (ObservedReportTransport.Traffic) -> Void = { _ in },
        _ use: @escaping @Sendable (LibFIDO2Key) async throws -> Result
    ) async throws -> Result {
        let isObserved = if case .path = connection { false } else { true }
        let lastAnswer = LastAnswer(isObserved: isObserved)
        let recorded: LibFIDO2Connection =
            switch connection {
            case .path: connection
            case .reports(let transport):
                .reports(
                    ObservedReportTransport(transport) { traffic in
                        lastAnswer.record(traffic)
                        onTraffic(traffic)
                    })
            case .messages(let device, let u2f):
                .messages(device.observed { _, result in lastAnswer.record(result) }, u2f: u2f)
            }
        do {
            return try await LibFIDO2Device.with(recorded) { device in
                try await use(LibFIDO2Key(device: device, lastAnswer: lastAnswer))
            }
        } catch let error as LibFIDO2Error {
            throw SecurityKeyError(error, after: lastAnswer)
        }
    }

    package func getInfo() async throws(SecurityKeyError) -> [UInt8] {
        // The recorded answer has all members.
        try await call { device throws(LibFIDO2Error) in try await device.requestInfo() }
        let answer = lastAnswer.bytes
        guard answer.first == CTAPStatus.ok.rawValue else {
            throw .unsupported("libfido2 does not expose the bytes of getInfo on this connection")
        }
        return Array(answer.dropFirst())
    }

    // MARK: PIN and built-in verification

    package func pinRetries() async throws(SecurityKeyError) -> Int {
        Int(try await call { device throws(LibFIDO2Error) in try await device.pinRetries() })
    }

    package func isPINBlockedUntilUnplugged() async throws(SecurityKeyError) -> Bool? {
        _ = try await pinRetries()
        // libfido2 does not return powerCycleState; the recorded answer has it.
        let answer = lastAnswer.bytes
        guard answer.first == CTAPStatus.ok.rawValue,
            let cbor = try? CBOR.decode(Array(answer.dropFirst()), options: .attestation),
            let response = try? ClientPINResponse(cbor: cbor)
        else { return nil }
        return response.powerCycleState ?? false
    }

    package func uvRetries() async throws(SecurityKeyError) -> Int {
        Int(try await call { device throws(LibFIDO2Error) in try await device.uvRetries() })
    }

    package func setPIN(_ pin: String) async throws(SecurityKeyError) {
        try await call { device throws(LibFIDO2Error) in try await device.setPIN(pin) }
    }

    package func changePIN(from current: String, to new: String) async throws(SecurityKeyError) {
        try await call { device throws(LibFIDO2Error) in try await device.setPIN(new, old: current) }
    }

    // MARK: Ceremonies

    private static let algorithms = [COSE_ES256, COSE_EDDSA, COSE_ES384, COSE_RS256]

    package func makeCredential(
        _ request: MakeCredentialRequest, pin: String?, uv: Bool
    ) async throws(SecurityKeyError) -> MakeCredentialResponse {
        let wanted = request.pubKeyCredParams.map { Int32(truncatingIfNeeded: $0.algorithm.rawValue) }
        guard let algorithm = wanted.first(where: Self.algorithms.contains) else {
            throw .unsupported("libfido2 supports none of the requested algorithms")
        }
        var made = LibFIDO2Device.CredentialRequest(
            relyingPartyID: request.rp.id, userID: request.user.id, userName: request.user.name ?? "",
            algorithm: algorithm, clientDataHash: request.clientDataHash)
        made.relyingPartyName = request.rp.name
        made.userDisplayName = request.user.displayName
        made.isDiscoverable = request.options["rk"] == true
        if uv, pin == nil { made.uv = FIDO_OPT_TRUE }
        made.excluded = (request.excludeList ?? []).map(\.id)
        for (name, value) in request.extensions ?? [:] {
            switch (name, value) {
            case ("credProtect", let level):
                made.extensions |= FIDO_EXT_CRED_PROTECT
                made.protection = (try? level.asUnsigned("credProtect")).map { Int32($0) }
            case ("hmac-secret", .bool(true)): made.extensions |= FIDO_EXT_HMAC_SECRET
            case ("largeBlobKey", .bool(true)): made.extensions |= FIDO_EXT_LARGEBLOB_KEY
            case ("minPinLength", .bool(true)): made.extensions |= FIDO_EXT_MINPINLEN
            default: throw .unsupported("the extension \(name) is not supported through libfido2")
            }
        }
        var (response, statement) = try await call { [made] device throws(LibFIDO2Error) in
            try await device.makeCredential(made, pin: pin) { credential in
                let largeBlobKey = bytes(
                    fido_cred_largeblob_key_ptr(credential), fido_cred_largeblob_key_len(credential))
                let response = MakeCredentialResponse(
                    format: fido_cred_fmt(credential).map { String(cString: $0) } ?? "",
                    authenticatorData: bytes(
                        fido_cred_authdata_raw_ptr(credential), fido_cred_authdata_raw_len(credential)),
                    attestationStatement: [:], largeBlobKey: largeBlobKey.isEmpty ? nil : largeBlobKey)
                return (response, bytes(fido_cred_attstmt_ptr(credential), fido_cred_attstmt_len(credential)))
            }
        }
        guard !statement.isEmpty else { return response }
        do {
            response.attestationStatement = try CBOR.decode(statement, options: .attestation)
        } catch {
            throw .device(.protocolViolation("the attestation statement: \(error)"))
        }
        return response
    }

    package func getAssertions(
        _ request: GetAssertionRequest, pin: String?, uv: Bool
    ) async throws(SecurityKeyError) -> [GetAssertionResponse] {
        guard request.extensions?.isEmpty ?? true else {
            throw .unsupported("extensions of a sign-in are not supported through libfido2")
        }
        var wanted = LibFIDO2Device.AssertionRequest(
            relyingPartyID: request.relyingPartyID, clientDataHash: request.clientDataHash)
        if uv, pin == nil { wanted.uv = FIDO_OPT_TRUE }
        wanted.allowed = (request.allowList ?? []).map(\.id)
        return try await call { [wanted] device throws(LibFIDO2Error) in
            try await device.getAssertions(wanted, pin: pin, read: Self.response)
        }
    }

    private static func response(_ assertion: OpaquePointer, _ index: Int) -> GetAssertionResponse {
        // Authenticator data comes in a CBOR byte string, whose header has 1 to 3 bytes (RFC 8949 §3).
        let wrapped = bytes(fido_assert_authdata_ptr(assertion, index), fido_assert_authdata_len(assertion, index))
        let header = wrapped.first == 0x59 ? 3 : wrapped.first == 0x58 ? 2 : 1
        let userID = bytes(fido_assert_user_id_ptr(assertion, index), fido_assert_user_id_len(assertion, index))
        let user = PublicKeyCredentialUserEntity(
            id: userID, name: fido_assert_user_name(assertion, index).map { String(cString: $0) },
            displayName: fido_assert_user_display_name(assertion, index).map { String(cString: $0) })
        return GetAssertionResponse(
            credential: PublicKeyCredentialDescriptor(
                id: bytes(fido_assert_id_ptr(assertion, index), fido_assert_id_len(assertion, index))),
            authenticatorData: Array(wrapped.dropFirst(header)),
            signature: bytes(fido_assert_sig_ptr(assertion, index), fido_assert_sig_len(assertion, index)),
            user: userID.isEmpty ? nil : user, numberOfCredentials: fido_assert_count(assertion))
    }

    package func reset() async throws(SecurityKeyError) {
        try await call { device throws(LibFIDO2Error) in try await device.reset() }
    }

    package func waitForTouch() async throws(SecurityKeyError) {
        try await call { device throws(LibFIDO2Error) in
            try await device.beginTouch()
            while try await !device.wasTouched(within: 200) {
                guard !Task.isCancelled else { throw LibFIDO2Error(FIDO_ERR_KEEPALIVE_CANCEL) }
            }
        }
    }

    /// Calls libfido2; cancelling the task sends CTAPHID_CANCEL.
    func call<Result: Sendable>(
        _ work: @escaping @Sendable (LibFIDO2Device) async throws(LibFIDO2Error) -> Result
    ) async throws(SecurityKeyError) -> Result {
        let cancelling = LibFIDO2Cancelling(device)
        do {
            // A cancellation before the request has nothing to cancel at the key.
            guard !Task.isCancelled else { throw LibFIDO2Error(FIDO_ERR_KEEPALIVE_CANCEL) }
            lastAnswer.forget()
            return try await withTaskCancellationHandler {
                defer { cancelling.end() }
                return try await work(device)
            } onCancel: {
                cancelling.begin()
            }
        } catch let error as LibFIDO2Error {
            throw SecurityKeyError(error, after: lastAnswer)
        } catch {
            throw .library("\(error)")
        }
    }

    /// The PIN, which libfido2 requires for managing a key.
    func required(_ pin: String?) throws(SecurityKeyError) -> String {
        guard let pin else { throw .unsupported("libfido2 needs the PIN to manage a key; give one") }
        return pin
    }
}

/// The observed outcome of the last request.
private final class LastAnswer: Sendable {
    private let result = Mutex<Result<[UInt8], CTAPDeviceError>?>(nil)
    /// Whether the connection shows its messages.
    let isObserved: Bool

    init(isObserved: Bool) { self.isObserved = isObserved }

    /// The last answer; empty without one.
    var bytes: [UInt8] { (try? result.withLock { $0 }?.get()) ?? [] }

    var failure: CTAPDeviceError? { if case .failure(let error)? = result.withLock({ $0 }) { error } else { nil } }

    /// Whether the key refused the last request with a status, as far as the connection shows it.
    func isRefusal(_ status: CTAPStatus) -> Bool { !isObserved || bytes.first == status.rawValue }

    func forget() { result.withLock { $0 = nil } }

    func record(_ traffic: ObservedReportTransport.Traffic) {
        switch traffic {
        case .answer(let bytes): record(.success(bytes))
        case .lost(let error): record(.failure(error))
        case .error(let code): record(.failure(CTAPHIDClient.error(for: [code])))
        case .request, .keepalive, .cancel: break
        }
    }

    func record(_ new: Result<[UInt8], CTAPDeviceError>) { result.withLock { $0 = new } }
}

extension SecurityKeyError {
    /// - Parameter answer: the outcome of the last request, which libfido2 does not report.
    fileprivate init(_ error: LibFIDO2Error, after answer: LastAnswer) {
        switch error.code {
        case FIDO_ERR_NOTFOUND: self = .unsupported("the key has no such entry (libfido2: FIDO_ERR_NOTFOUND)")
        case 1...255:
            let status = CTAPStatus(rawValue: UInt8(truncatingIfNeeded: error.code))
            // A U2F message has a status word, which libfido2 translates; the caller cancels without an answer.
            let isKey = answer.isRefusal(status) || answer.bytes.count == 2 || status == .keepaliveCancel
            self = isKey ? .refused(status) : .refusedByLibrary(status)
        case FIDO_ERR_TX, FIDO_ERR_RX:
            self = .device(
                answer.failure ?? .disconnected("libfido2 lost the connection, or the key did not answer (\(error))"))
        default: self = .library("\(error)")
        }
    }
}
