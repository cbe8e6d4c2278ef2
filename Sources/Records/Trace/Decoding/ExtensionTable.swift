/// The inputs and outputs of an extension: those of CTAP 2.3 §12 and others in use.
struct ExtensionDescription: Sendable {
    let identifier: String
    var creationInput: Shape = .unknown
    var creationOutput: Shape = .unknown
    var assertionInput: Shape = .unknown
    var assertionOutput: Shape = .unknown

    static let creationInputs = all.map { MapMember($0.identifier, $0.creationInput) }
    static let creationOutputs = all.map { MapMember($0.identifier, $0.creationOutput) }
    static let assertionInputs = all.map { MapMember($0.identifier, $0.assertionInput) }
    static let assertionOutputs = all.map { MapMember($0.identifier, $0.assertionOutput) }

    private static let protection = Shape.integer([
        1: "userVerificationOptional", 2: "userVerificationOptionalWithCredentialIDList", 3: "userVerificationRequired",
    ])

    /// The input of hmac-secret (CTAP 2.3 §12.7).
    static let hmacSecretInput = Shape.members([
        MapMember(1, "keyAgreement", .coseKey), MapMember(2, "saltEnc", .secret), MapMember(3, "saltAuth", .secret),
        MapMember(4, "pinUvAuthProtocol", .integer()),
    ])

    /// WebAuthn's prf as phones implement it, without hmac-secret.
    private static let prf = Shape.members([
        MapMember("enabled", .bool), MapMember("eval", .dictionary(.secret)),
        MapMember("evalByCredential", .dictionary(.dictionary(.secret))), MapMember("results", .dictionary(.secret)),
    ])

    private static let largeBlob = Shape.members([
        MapMember("support", .text), MapMember("supported", .bool), MapMember("read", .bool),
        MapMember("write", .secret),
        MapMember("blob", .secret), MapMember("written", .bool),
    ])

    /// Draft 4 of the sign extension; the data is the app's, and may be confidential.
    private static let previewSign = ExtensionDescription(
        identifier: "previewSign",
        creationInput: .members([MapMember(3, "alg", .list(.algorithm)), MapMember(4, "flags", .integer())]),
        creationOutput: .members([MapMember(3, "alg", .algorithm), MapMember(7, "att-obj", .bytes)]),
        assertionInput: .members([
            MapMember(2, "kh", .bytes), MapMember(6, "tbs", .secret), MapMember(7, "args", .bytes),
        ]),
        assertionOutput: .members([MapMember(6, "sig", .bytes)]))

    static let all = [
        ExtensionDescription(identifier: "credProtect", creationInput: protection, creationOutput: protection),
        // Bytes of the relying party, which may require user verification to read them.
        ExtensionDescription(
            identifier: "credBlob", creationInput: .secret, creationOutput: .bool, assertionInput: .bool,
            assertionOutput: .secret),
        ExtensionDescription(identifier: "largeBlobKey", creationInput: .bool, assertionInput: .bool),
        ExtensionDescription(
            identifier: "largeBlob", creationInput: largeBlob, creationOutput: largeBlob, assertionInput: largeBlob,
            assertionOutput: largeBlob),
        ExtensionDescription(identifier: "minPinLength", creationInput: .bool, creationOutput: .integer()),
        ExtensionDescription(identifier: "pinComplexityPolicy", creationInput: .bool, creationOutput: .bool),
        ExtensionDescription(
            identifier: "hmac-secret", creationInput: .bool, creationOutput: .bool, assertionInput: hmacSecretInput,
            assertionOutput: .secret),
        ExtensionDescription(identifier: "hmac-secret-mc", creationInput: hmacSecretInput, creationOutput: .secret),
        ExtensionDescription(
            identifier: "prf", creationInput: prf, creationOutput: prf, assertionInput: prf, assertionOutput: prf),
        ExtensionDescription(
            identifier: "thirdPartyPayment", creationInput: .bool, creationOutput: .bool, assertionInput: .bool,
            assertionOutput: .bool),
        ExtensionDescription(
            identifier: "uvm", creationInput: .bool, creationOutput: .list(.list(.integer())), assertionInput: .bool,
            assertionOutput: .list(.list(.integer()))),
        previewSign,
    ]
}
