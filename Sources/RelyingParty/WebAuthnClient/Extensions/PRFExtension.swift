internal import CBOR
internal import COSE
internal import CTAP
internal import WebAuthn

/// prf: a pseudo-random function of each credential, based on hmac-secret (WebAuthn L3 §10.1.4).
///
/// hmac-secret has one function with and one without user verification; prf always uses the first, regardless of the
/// options. A device without user verification evaluates nothing.
enum PRFExtension {
    static func checkRegistration(_ inputs: PRFInputs) throws(WebAuthnClientError) {
        guard inputs.evalByCredential == nil else {
            throw WebAuthnClientError(.notSupportedError, .prfEvalByCredential, detail: "in create()")
        }
    }

    static func checkAuthentication(
        _ inputs: PRFInputs, allowCredentials: [CredentialDescriptor]
    ) throws(WebAuthnClientError) {
        guard let byCredential = inputs.evalByCredential, !byCredential.isEmpty else { return }
        guard !allowCredentials.isEmpty else {
            throw WebAuthnClientError(.notSupportedError, .prfEvalByCredential, detail: "without allowCredentials")
        }
        for key in byCredential.keys.sorted() {
            guard !key.isEmpty, let id = Base64URL.decode(key), allowCredentials.contains(where: { $0.id.bytes == id })
            else { throw WebAuthnClientError(.syntaxError, .prfCredentialID, detail: key) }
        }
    }

    /// The inputs for a request, whose `allowList` is empty for discoverable credentials; nil when there are none.
    static func values(_ inputs: PRFInputs, allowList: [PublicKeyCredentialDescriptor]) -> PRFValues? {
        let named = allowList.compactMap { inputs.evalByCredential?[Base64URL.encode($0.id)] }
        if allowList.count == 1, let values = named.first { return values }
        // With several candidates, the inputs of one must not apply to another.
        return named.isEmpty ? inputs.eval : nil
    }

    /// The salts of hmac-secret: SHA-256("WebAuthn PRF" ‖ 0x00 ‖ input), distinct from other uses of hmac-secret.
    static func salts(_ values: PRFValues) -> [[UInt8]] {
        [values.first, values.second].compactMap(\.self).map { input in
            sha256(Array("WebAuthn PRF".utf8) + [0] + input.bytes)
        }
    }

    /// The input of phones' prf in create(): `{"eval": {…}}`, with the salts.
    static func registrationInput(_ inputs: PRFInputs) -> CBOR.Value {
        var map = CBOR.Map()
        map["eval"] = inputs.eval.map(input)
        return .map(map)
    }

    /// The input of phones' prf in get(): also the salts of named credentials.
    static func authenticationInput(_ inputs: PRFInputs) -> CBOR.Value {
        var map = CBOR.Map()
        map["eval"] = inputs.eval.map(input)
        var named = CBOR.Map()
        for (key, values) in inputs.evalByCredential ?? [:] {
            if let id = Base64URL.decode(key) { named[.bytes(id)] = input(values) }
        }
        if !named.isEmpty { map["evalByCredential"] = .map(named) }
        return .map(map)
    }

    private static func input(_ values: PRFValues) -> CBOR.Value {
        var map = CBOR.Map()
        for (name, salt) in zip(["first", "second"], salts(values)) { map[.text(name)] = .bytes(salt) }
        return .map(map)
    }

    /// The unsigned output of phones' prf: whether it is enabled, and the results; nil without an output.
    static func output(_ outputs: CBOR.Map?) -> (isEnabled: Bool, results: PRFValues?)? {
        guard case .map(let output)? = outputs?[ExtensionIdentifier.prf.rawValue] else { return nil }
        let isEnabled = output["enabled"] == true
        guard case .map(let results)? = output["results"], case .bytes(let first)? = results["first"] else {
            return (isEnabled, nil)
        }
        let second = (try? results["second"]?.asBytes("")) ?? nil
        return (isEnabled, PRFValues(first: first, second: second))
    }

    static func exchange(
        _ values: PRFValues, pinProtocol: PINUVAuthProtocol, session: Session
    ) async throws(WebAuthnClientError) -> HMACSecretExchange {
        try await session.send { client async throws(AuthenticatorClient.Failure) in
            try await PINClient(client, protocol: pinProtocol, randomBytes: session.environment.randomBytes)
                .hmacSecretExchange(salts: salts(values))
        }
    }

    /// The results in a device's output; nil without results of the right length.
    static func results(_ output: [UInt8]?, _ exchange: HMACSecretExchange?) -> PRFValues? {
        guard let output, let results = exchange?.outputs(output), let first = results.first else { return nil }
        return PRFValues(first: first, second: results.count > 1 ? results[1] : nil)
    }
}
