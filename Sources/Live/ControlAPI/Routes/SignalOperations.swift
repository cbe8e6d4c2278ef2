internal import DeviceHost
internal import Documents
internal import HTTPTypes
internal import LoopbackHTTP
internal import SimulatedDevice
internal import WebAuthn

extension ControlOperations {
    var signals: [Operation] { PasskeySignal.Kind.allCases.map(signal) }

    /// A signal of a page, which gets no answer (WebAuthn L3 §5.1.10).
    private func signal(_ kind: PasskeySignal.Kind) -> Operation {
        operation(
            .post, "/v1/devices/{device}/signals/\(kind.rawValue)", kind.method, kind.meaning, .ceremonies,
            body: kind.schema, done: "The passkey provider received the signal; the page gets no answer about passkeys",
            errors: [422]
        ) { call in
            let device = try await device(call)
            let news = try kind.read(call.body)
            await device.host.device.take(news, of: call.body["rpId"]?.text ?? "")
        }
    }
}

extension PasskeySignal {
    /// A signal's kind; the raw value is the end of its path.
    enum Kind: String, CaseIterable, Sendable {
        case unknownCredential = "unknown-credential"
        case allAcceptedCredentials = "all-accepted-credentials"
        case currentUserDetails = "current-user-details"

        /// The method of `PublicKeyCredential`, and the operation's name.
        var method: String {
            switch self {
            case .unknownCredential: "signalUnknownCredential"
            case .allAcceptedCredentials: "signalAllAcceptedCredentials"
            case .currentUserDetails: "signalCurrentUserDetails"
            }
        }

        fileprivate var meaning: String {
            switch self {
            case .unknownCredential: "Signal that the relying party has no such credential"
            case .allAcceptedCredentials: "Signal that the user has exactly these credentials"
            case .currentUserDetails: "Signal the user's names"
            }
        }

        fileprivate var schema: Schema {
            let id = Schema.string(Schema.Text(length: 1...2000))
            let site = Schema.Member.required("rpId", .string(1...253), "The RP ID.")
            let user = Schema.Member.required("userId", id, "The user handle, as unpadded base64url.")
            return switch self {
            case .unknownCredential:
                .object(site, .required("credentialId", id, "The credential's ID, as unpadded base64url."))
            case .allAcceptedCredentials:
                .object(
                    site, user,
                    .required(
                        "allAcceptedCredentialIds", .array(id, count: 0...1000),
                        "The IDs of the user's credentials, as unpadded base64url."))
            case .currentUserDetails:
                .object(
                    site, user, .required("name", .string(1...200), "The user's name."),
                    .required("displayName", .string(0...200), "The user's name for display."))
            }
        }

        /// - Throws: `base64url.malformed`, as the method rejects with `TypeError`.
        func read(_ body: JSONValue) throws(APIError) -> PasskeySignal {
            switch self {
            case .unknownCredential: .unknownCredential(id: try body.bytes(of: "credentialId"))
            case .allAcceptedCredentials:
                .allAcceptedCredentials(
                    userID: try body.bytes(of: "userId"),
                    ids: try (body["allAcceptedCredentialIds"]?.array ?? []).map { id throws(APIError) in
                        guard let bytes = id.text.flatMap(Base64URL.decode) else {
                            throw .malformedBytes("allAcceptedCredentialIds")
                        }
                        return bytes
                    })
            case .currentUserDetails:
                .currentUserDetails(
                    userID: try body.bytes(of: "userId"), name: body["name"]?.text ?? "",
                    displayName: body["displayName"]?.text ?? "")
            }
        }
    }
}
