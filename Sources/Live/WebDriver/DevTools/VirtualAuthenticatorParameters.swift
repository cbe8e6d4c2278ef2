internal import ControlAPI
internal import Documents
internal import LoopbackHTTP

/// The options of `WebAuthn.addVirtualAuthenticator`.
struct VirtualAuthenticatorParameters: Sendable {
    /// The same as WebDriver has them (WebAuthn L3 §11.3).
    let webDriver: JSONValue
    /// Whether the user touches the authenticator at once; otherwise requests wait.
    let isPresent: Bool

    /// Options that both have, under the same name.
    private static let shared = [
        "transport", "hasResidentKey", "hasUserVerification", "isUserVerified", "defaultBackupEligibility",
        "defaultBackupState", OwnNames.profile,
    ]
    private static let extensions = [
        ("hasLargeBlob", "largeBlob"), ("hasCredBlob", "credBlob"), ("hasMinPinLength", "minPinLength"),
        ("hasPrf", "prf"),
    ]

    /// - Throws: ``DevToolsError`` for an unknown protocol, and for an unknown name of this program.
    init(_ options: [String: JSONValue]) throws(DevToolsError) {
        do {
            try OwnNames.check(.object(options), known: OwnNames.profile)
        } catch {
            throw DevToolsError.invalid(error)
        }
        var members = options.filter { Self.shared.contains($0.key) }
        switch (options["protocol"]?.text, options["ctap2Version"]?.text ?? "ctap2_0") {
        case ("u2f", _): members["protocol"] = "ctap1/u2f"
        case ("ctap2", "ctap2_0"): members["protocol"] = "ctap2"
        case ("ctap2", "ctap2_1"): members["protocol"] = "ctap2_1"
        default: throw DevToolsError.invalid("protocol", "u2f or ctap2, and ctap2Version ctap2_0 or ctap2_1")
        }
        let extensions = Self.extensions.filter { options[$0.0] == true }.map { JSONValue.text($0.1) }
        if !extensions.isEmpty { members["extensions"] = .array(extensions) }
        webDriver = .object(members)
        isPresent = options["automaticPresenceSimulation"]?.bool ?? true
    }
}
