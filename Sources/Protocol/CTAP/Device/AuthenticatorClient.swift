internal import CBOR
internal import MessageValues

/// The platform's side of CTAP2: one method for each command, over any ``CTAPDevice``.
public struct AuthenticatorClient: Sendable {
    /// The device.
    public let device: any CTAPDevice
    private let onKeepalive: @Sendable (KeepaliveStatus) -> Void

    /// A client of `device`; `onKeepalive` is called when the device waits for the user.
    public init(_ device: any CTAPDevice, onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void = { _ in }) {
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
        public var status: CTAPStatus? { if case .refused(_, let status) = self { status } else { nil } }
    }

    /// authenticatorGetInfo.
    public func getInfo() async throws(Failure) -> AuthenticatorInfo { try await call(.getInfo) }

    /// authenticatorMakeCredential.
    public func makeCredential(_ request: MakeCredentialRequest) async throws(Failure) -> MakeCredentialResponse {
        try await call(.makeCredential, request.cbor)
    }

    /// authenticatorGetAssertion.
    public func getAssertion(_ request: GetAssertionRequest) async throws(Failure) -> GetAssertionResponse {
        try await call(.getAssertion, request.cbor)
    }

    /// authenticatorGetNextAssertion.
    public func getNextAssertion() async throws(Failure) -> GetAssertionResponse { try await call(.getNextAssertion) }

    /// authenticatorClientPIN.
    public func clientPIN(_ request: ClientPINRequest) async throws(Failure) -> ClientPINResponse {
        try await call(.clientPIN, request.cbor)
    }

    /// authenticatorReset: erases every credential and the PIN.
    public func reset() async throws(Failure) { _ = try await answer(to: .reset) }

    /// authenticatorSelection: waits for a touch.
    public func selection() async throws(Failure) { _ = try await answer(to: .selection) }

    /// authenticatorBioEnrollment, or its preview.
    public func bioEnrollment(
        _ request: BioEnrollmentRequest, preview: Bool = false
    ) async throws(Failure) -> BioEnrollmentResponse {
        try await call(preview ? .bioEnrollmentPreview : .bioEnrollment, request.cbor)
    }

    /// authenticatorCredentialManagement, or its preview.
    public func credentialManagement(
        _ request: CredentialManagementRequest, preview: Bool = false
    ) async throws(Failure) -> CredentialManagementResponse {
        try await call(preview ? .credentialManagementPreview : .credentialManagement, request.cbor)
    }

    /// authenticatorLargeBlobs.
    public func largeBlobs(_ request: LargeBlobsRequest) async throws(Failure) -> LargeBlobsResponse {
        try await call(.largeBlobs, request.cbor)
    }

    /// authenticatorConfig.
    public func config(_ request: AuthenticatorConfigRequest) async throws(Failure) {
        _ = try await answer(to: .config, request.cbor)
    }

    private func call<Response: CodedMap>(
        _ command: CTAPCommand, _ parameters: CBOR.Value? = nil
    ) async throws(Failure) -> Response {
        let answer = try await answer(to: command, parameters)
        do {
            return try Response(item: answer, named: "the response")
        } catch {
            throw .invalidResponse(command, error.description)
        }
    }

    private func answer(to command: CTAPCommand, _ parameters: CBOR.Value? = nil) async throws(Failure) -> CBOR.Value {
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
        // A successful answer without parameters has no CBOR at all.
        guard answer.count > 1 else { return [:] }
        do {
            return try CBOR.decode(answer, from: 1, options: .attestation)
        } catch {
            throw .invalidResponse(command, error.description)
        }
    }
}
