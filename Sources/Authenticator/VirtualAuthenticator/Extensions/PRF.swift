internal import CBOR
internal import CTAP
internal import Causes
internal import WebAuthn

/// The salts of phones' `prf`, for any credential and for named ones.
struct PRFRequest: Sendable {
    /// One or two salts of 32 bytes; nil for none.
    var salts: [[UInt8]]?
    var saltsByCredential: [[UInt8]: [[UInt8]]] = [:]

    func salts(of credentialID: [UInt8]) -> [[UInt8]]? { saltsByCredential[credentialID] ?? salts }
}

/// Phones' `prf` over hybrid: WebAuthn's extension, whose inputs the client has hashed (WebAuthn L3 §10.1.4) and whose outputs are
/// unsigned (CTAP 2.3 §6.1, unsignedExtensionOutputs).
///
/// No clause describes it; Android's phones and Chromium have this form.
extension VirtualAuthenticator {
    /// Reads `{"eval": {"first": bytes, "second": bytes}, "evalByCredential": {ID: {…}}}`; nil when it is not requested.
    ///
    /// - Throws: 0x11 for a wrong type, 0x03 for a salt that is not 32 bytes long.
    func prfRequest(_ extensions: [String: CBOR.Value], _ context: CommandContext) throws(Refusal) -> PRFRequest? {
        let name = HybridExtension.prf.rawValue
        guard context.request.transport == .hybrid, configuration.hybrid.extensions.contains(.prf),
            let value = extensions[name]
        else { return nil }
        var request = PRFRequest()
        do {
            let path = "extensions.\(name)"
            let map = try value.asMap(path)
            request.salts = try map["eval"].map { value throws(CBOR.AccessError) in
                try Self.salts(value, "\(path).eval")
            }
            let named = try map["evalByCredential"]?.asMap("\(path).evalByCredential")
            for entry in named ?? CBOR.Map() {
                let id = try entry.key.asBytes("\(path).evalByCredential")
                request.saltsByCredential[id] = try Self.salts(entry.value, "\(path).evalByCredential")
            }
        } catch {
            throw Refusal(error)
        }
        let all = request.saltsByCredential.values.flatMap(\.self) + (request.salts ?? [])
        try require(
            all.allSatisfy { $0.count == 32 },
            else: Refusal(.invalidLength, RefusalReason("prf", .saltLength, "WebAuthn L3 §10.1.4")))
        return request
    }

    private static func salts(_ value: CBOR.Value, _ path: String) throws(CBOR.AccessError) -> [[UInt8]] {
        let map = try value.asMap(path)
        let first = try map.required("first", "\(path).first").asBytes("\(path).first")
        let second = try map["second"]?.asBytes("\(path).second")
        return [first] + (second.map { [$0] } ?? [])
    }

    /// The output for a credential: `{"results": {"first": bytes, "second": bytes}}`, at a registration also `"enabled": true`.
    ///
    /// prf always uses the function for verified users (WebAuthn L3 §10.1.4); without a verification there are no results.
    func prfOutput(
        _ request: PRFRequest, of credential: StoredCredential, userVerified: Bool, isNew: Bool
    ) -> CBOR.Value {
        var output = CBOR.Map()
        if isNew { output["enabled"] = true }
        if userVerified, let salts = request.salts(of: credential.id) {
            let values = evaluate(salts, of: credential, userVerified: true)
            var results = CBOR.Map()
            for (name, value) in zip(["first", "second"], values) { results[.text(name)] = .bytes(value) }
            output["results"] = .map(results)
        }
        return .map(output)
    }
}
