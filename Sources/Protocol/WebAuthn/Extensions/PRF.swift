/// One or two inputs of a credential's pseudo-random function, of any length, or its outputs, 32 bytes each
/// (WebAuthn L3 §10.1.4, `AuthenticationExtensionsPRFValues`).
public struct PRFValues: Hashable, Sendable, Codable {
    /// The first input or output.
    public var first: Base64URLBytes
    /// The second input or output, if any.
    public var second: Base64URLBytes?

    /// Values from bytes.
    public init(first: [UInt8], second: [UInt8]? = nil) {
        self.first = Base64URLBytes(first)
        self.second = second.map { Base64URLBytes($0) }
    }
}

/// The input of `prf` (WebAuthn L3 §10.1.4).
public struct PRFInputs: Hashable, Sendable, Codable {
    /// The inputs for any credential.
    public var eval: PRFValues?
    /// The inputs by credential ID in base64url, which outweigh ``eval``; authentication only.
    public var evalByCredential: [String: PRFValues]?

    /// Inputs for any credential, and for single ones.
    public init(eval: PRFValues? = nil, evalByCredential: [String: PRFValues]? = nil) {
        self.eval = eval
        self.evalByCredential = evalByCredential
    }
}

/// The output of `prf` (WebAuthn L3 §10.1.4).
public struct PRFOutputs: Hashable, Sendable, Codable {
    /// Registration: whether the new credential has the function.
    public var enabled: Bool?
    /// The outputs for the inputs, when the function was evaluated.
    public var results: PRFValues?

    /// The output of a registration or an authentication.
    public init(enabled: Bool? = nil, results: PRFValues? = nil) {
        self.enabled = enabled
        self.results = results
    }
}
