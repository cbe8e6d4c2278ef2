internal import Documents
internal import WebAuthn

/// A change that a page makes to a client's response on its way to the relying party.
package enum ResponseTampering: String, CaseIterable, Hashable, Sendable {
    /// The client data is of the other ceremony.
    case type
    /// The client data has a challenge that the relying party did not issue.
    case challenge
    /// The client data is of another origin.
    case origin
    /// The client data is of a cross-origin frame.
    case crossOrigin = "cross-origin"
    /// The client data is not JSON.
    case clientDataMalformed = "client-data-malformed"
    case clientDataMissing = "client-data-missing"
    /// The credential is not of the type `public-key`.
    case credentialType = "credential-type"
    /// The credential's ID and raw ID differ.
    case rawID = "raw-id"
    /// The attestation object or the authenticator data is empty.
    case authenticatorDataEmpty = "authenticator-data-empty"
    /// The whole response is sent a second time.
    case replay
}

extension ResponseTampering {
    /// The changed response; the same for a replay.
    func applied(to response: JSONValue) throws -> JSONValue {
        switch self {
        case .type:
            try changingClientData(of: response) { data in
                let isCreation = data["type"]?.text == Self.creation
                data["type"] = .text(isCreation ? Self.assertion : Self.creation)
            }
        case .challenge:
            try changingClientData(of: response) {
                $0["challenge"] = .text(Base64URL.encode([UInt8](repeating: 0, count: 32)))
            }
        case .origin: try changingClientData(of: response) { $0["origin"] = "https://passkeys.example" }
        case .crossOrigin: try changingClientData(of: response) { $0["crossOrigin"] = true }
        case .clientDataMalformed:
            response.setting(["response", "clientDataJSON"], to: .text(Base64URL.encode(Array("{".utf8))))
        case .clientDataMissing: response.setting(["response", "clientDataJSON"], to: nil)
        case .credentialType: response.setting(["type"], to: "password")
        case .rawID: response.setting(["rawId"], to: .text(Base64URL.encode([1, 2, 3, 4])))
        case .authenticatorDataEmpty:
            response["response"]?["attestationObject"] == nil
                ? response.setting(["response", "authenticatorData"], to: "")
                : response.setting(["response", "attestationObject"], to: "")
        case .replay: response
        }
    }

    private static let creation = "webauthn.create", assertion = "webauthn.get"

    private func changingClientData(
        of response: JSONValue, _ change: (inout [String: JSONValue]) -> Void
    ) throws -> JSONValue {
        guard let text = response["response"]?["clientDataJSON"]?.text, let bytes = Base64URL.decode(text),
            var members = try JSONValue(parsing: bytes).object
        else { throw PlaybackError("the response has no client data") }
        change(&members)
        return response.setting(
            ["response", "clientDataJSON"], to: .text(Base64URL.encode(try JSONValue.object(members).bytes())))
    }
}

extension JSONValue {
    /// The same value with another member at a path of names, or without that member.
    fileprivate func setting(_ path: some Collection<String>, to value: JSONValue?) -> JSONValue {
        guard let name = path.first, var members = object else { return value ?? self }
        members[name] = path.count == 1 ? value : members[name].map { $0.setting(path.dropFirst(), to: value) }
        return .object(members)
    }
}
