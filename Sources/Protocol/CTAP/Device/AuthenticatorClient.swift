internal import CBOR

/// The platform's side of CTAP2: one method for each command, over any ``CTAPDevice``.
public struct AuthenticatorClient: Sendable {
    /// The device.
    public let device: any CTAPDevice
    private let onKeepalive: @Sendable (KeepaliveStatus) -> Void

    /// A client of `device`; `onKeepalive` is called when the device waits for the user.
    public init(
        _ device: any CTAPDevice, onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void = { _ in }
    ) {
        self.device = device
        self.onKeepalive = onKeepalive
    }

    /// The reason a command has no usable answer.
    public enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
        /// The authenticator refused with this status.
        case refused(CTAPCommand, CTAPStatus)
        /// The device did not answer.
        case device(CTAPDeviceError)
        /// The answer violates the specification.
        case invalidResponse(CTAPCommand, String)

        /// The command and the status, or the reason in words.
        public var description: String {
            switch self {
            case .refused(let command, let status): "\(command) was refused: \(status)"
            case .device(let error): error.description
            case .invalidResponse(let command, let detail): "the answer to \(command) is invalid: \(detail)"
            }
        }

        /// The status of a refusal.
        public var status: CTAPStatus? {
            if case .refused(_, let status) = self { status } else { nil }
        }
    }

    /// authenticatorGetInfo.
    public func getInfo() async throws(Failure) -> AuthenticatorInfo {
        try await call(.getInfo, nil) { value throws(CBOR.AccessError) in try AuthenticatorInfo(cbor: value) }
    }

    /// authenticatorMakeCredential.
    public func makeCredential(_ request: MakeCredentialRequest) async throws(Failure) -> MakeCredentialResponse {
        try await call(.makeCredential, request.cbor) { value throws(CBOR.AccessError) in
            try MakeCredentialResponse(cbor: value)
        }
    }

    /// authenticatorGetAssertion.
    public func getAssertion(_ request: GetAssertionRequest) async throws(Failure) -> GetAssertionResponse {
        try await call(.getAssertion, request.cbor) { value throws(CBOR.AccessError) in
            try GetAssertionResponse(cbor: value)
        }
    }

    /// authenticatorGetNextAssertion.
    public func getNextAssertion() async throws(Failure) -> GetAssertionResponse {
        try await call(.getNextAssertion, nil) { value throws(CBOR.AccessError) in
            try GetAssertionResponse(cbor: value)
        }
    }

    /// authenticatorClientPIN.
    public func clientPIN(_ request: ClientPINRequest) async throws(Failure) -> ClientPINResponse {
        try await call(.clientPIN, request.cbor) { value throws(CBOR.AccessError) in
            try ClientPINResponse(cbor: value)
        }
    }

    /// authenticatorReset: erases every credential and the PIN.
    public func reset() async throws(Failure) {
        try await call(.reset, nil) { _ in }
    }

    /// authenticatorSelection: waits for a touch.
    public func selection() async throws(Failure) {
        try await call(.selection, nil) { _ in }
    }

    /// authenticatorBioEnrollment, or its preview.
    public func bioEnrollment(
        _ request: BioEnrollmentRequest, preview: Bool = false
    ) async throws(Failure) -> BioEnrollmentResponse {
        try await call(preview ? .bioEnrollmentPreview : .bioEnrollment, request.cbor) {
            value throws(CBOR.AccessError) in try BioEnrollmentResponse(cbor: value)
        }
    }

    /// authenticatorCredentialManagement, or its preview.
    public func credentialManagement(
        _ request: CredentialManagementRequest, preview: Bool = false
    ) async throws(Failure) -> CredentialManagementResponse {
        try await call(preview ? .credentialManagementPreview : .credentialManagement, request.cbor) {
            value throws(CBOR.AccessError) in try CredentialManagementResponse(cbor: value)
        }
    }

    /// authenticatorLargeBlobs.
    public func largeBlobs(_ request: LargeBlobsRequest) async throws(Failure) -> LargeBlobsResponse {
        try await call(.largeBlobs, request.cbor) { value throws(CBOR.AccessError) in
            try LargeBlobsResponse(cbor: value)
        }
    }

    /// authenticatorConfig.
    public func config(_ request: AuthenticatorConfigRequest) async throws(Failure) {
        try await call(.config, request.cbor) { _ in }
    }

    private func call<Response>(
        _ command: CTAPCommand, _ parameters: CBOR.Value?,
        _ read: (CBOR.Value) throws(CBOR.AccessError) -> Response
    ) async throws(Failure) -> Response {
        let message = [command.rawValue] + (parameters.map { CBOR.encode($0) } ?? [])
        let answer: [UInt8]
        do {
            answer = try await device.transceive(message, onKeepalive: onKeepalive)
        } catch {
            throw .device(error)
        }
        guard let first = answer.first else { throw .invalidResponse(command, "it is empty") }
        let status = CTAPStatus(rawValue: first)
        guard status == .ok else { throw .refused(command, status) }
        do {
            // A successful answer without parameters has no CBOR at all.
            let body = Array(answer.dropFirst())
            return try read(body.isEmpty ? [:] : CBOR.decode(body, options: .attestation))
        } catch let error as CBOR.DecodingError {
            throw .invalidResponse(command, error.description)
        } catch let error as CBOR.AccessError {
            throw .invalidResponse(command, error.description)
        } catch {
            throw .invalidResponse(command, "\(error)")
        }
    }
}
