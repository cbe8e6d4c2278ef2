import CBOR
import CTAP
import Testing

/// A place in a message that holds a secret.
struct SecretPlace: CustomTestStringConvertible, Sendable {
    let name: String
    let command: UInt8
    /// Whether it is in the answer, not in the request.
    let isAnswer: Bool
    let content: @Sendable (CBOR.Value) -> CBOR.Value

    var testDescription: String { name }

    private init(
        _ name: String, _ command: UInt8, isAnswer: Bool, _ content: @escaping @Sendable (CBOR.Value) -> CBOR.Value
    ) {
        self.name = name
        self.command = command
        self.isAnswer = isAnswer
        self.content = content
    }

    /// The request and the answer with a value in this place.
    func exchange(_ value: CBOR.Value) -> (request: [UInt8], answer: [UInt8]) {
        let bytes = CBOR.encode(content(value))
        return isAnswer ? ([command], [0] + bytes) : ([command] + bytes, [0])
    }

    private static func asked(
        _ name: String, _ command: UInt8, _ content: @escaping @Sendable (CBOR.Value) -> CBOR.Value
    ) -> SecretPlace { SecretPlace(name, command, isAnswer: false, content) }

    private static func answered(
        _ name: String, _ command: UInt8, _ content: @escaping @Sendable (CBOR.Value) -> CBOR.Value
    ) -> SecretPlace { SecretPlace(name, command, isAnswer: true, content) }

    /// Authenticator data of an assertion with extension outputs.
    static func authenticatorData(_ outputs: CBOR.Value) -> CBOR.Value {
        .bytes([UInt8](repeating: 0x11, count: 32) + [0x81, 0, 0, 0, 9] + CBOR.encode(outputs))
    }

    static let requests = [
        asked("makeCredential pinUvAuthParam", 1) { [8: $0] },
        asked("makeCredential hmac-secret-mc saltEnc", 1) { [6: ["hmac-secret-mc": [2: $0]]] },
        asked("makeCredential hmac-secret-mc saltAuth", 1) { [6: ["hmac-secret-mc": [3: $0]]] },
        asked("makeCredential prf eval", 1) { [6: ["prf": ["eval": ["first": $0]]]] },
        asked("makeCredential credBlob", 1) { [6: ["credBlob": $0]] },
        asked("makeCredential largeBlob", 1) { [6: ["largeBlob": ["write": $0]]] },
        asked("getAssertion pinUvAuthParam", 2) { [6: $0] },
        asked("getAssertion hmac-secret saltEnc", 2) { [4: ["hmac-secret": [2: $0]]] },
        asked("getAssertion hmac-secret saltAuth", 2) { [4: ["hmac-secret": [3: $0]]] },
        asked("getAssertion prf eval", 2) { [4: ["prf": ["eval": ["second": $0]]]] },
        asked("getAssertion prf evalByCredential", 2) {
            [4: ["prf": ["evalByCredential": ["Y3JlZA": ["first": $0]]]]]
        },
        asked("getAssertion largeBlob", 2) { [4: ["largeBlob": ["write": $0]]] },
        asked("clientPIN pinUvAuthParam", 6) { [1: 2, 2: 3, 4: $0] },
        asked("clientPIN newPinEnc", 6) { [1: 2, 2: 3, 5: $0] },
        asked("clientPIN pinHashEnc", 6) { [1: 2, 2: 9, 6: $0] },
        asked("an elliptic key's d", 6) { [2: 3, 3: [1: 2, 3: -25, -1: 1, -4: $0]] },
        asked("an octet key's d", 6) { [2: 3, 3: [1: 1, 3: -8, -1: 6, -4: $0]] },
        asked("an RSA key's d", 6) { [2: 3, 3: [1: 3, 3: -257, -3: $0]] },
        asked("an RSA key's p", 6) { [2: 3, 3: [1: 3, 3: -257, -4: $0]] },
        asked("a symmetric key's k", 6) { [2: 3, 3: [1: 4, -1: $0]] },
        asked("an ML-DSA key's priv", 6) { [2: 3, 3: [1: 7, 3: -48, -2: $0]] },
        asked("bioEnrollment pinUvAuthParam", 9) { [1: 1, 2: 4, 5: $0] },
        asked("bioEnrollment preview pinUvAuthParam", 0x40) { [1: 1, 2: 4, 5: $0] },
        asked("credentialManagement pinUvAuthParam", 0x0A) { [1: 1, 4: $0] },
        asked("credentialManagement preview pinUvAuthParam", 0x41) { [1: 1, 4: $0] },
        asked("largeBlobs pinUvAuthParam", 0x0C) { [2: .bytes([1]), 3: 0, 5: $0] },
        asked("config pinUvAuthParam", 0x0D) { [1: 2, 4: $0] },
    ]

    static let answers = [
        answered("makeCredential largeBlobKey", 1) { [1: "none", 5: $0] },
        answered("makeCredential unsigned prf", 1) { [6: ["prf": ["results": ["first": $0]]]] },
        answered("makeCredential hmac-secret-mc output", 1) { [2: authenticatorData(["hmac-secret-mc": $0])] },
        answered("getAssertion largeBlobKey", 2) { [7: $0] },
        answered("getAssertion unsigned prf", 2) { [8: ["prf": ["results": ["first": $0]]]] },
        answered("getAssertion hmac-secret output", 2) { [2: authenticatorData(["hmac-secret": $0])] },
        answered("getAssertion credBlob output", 2) { [2: authenticatorData(["credBlob": $0])] },
        answered("getNextAssertion largeBlobKey", 8) { [7: $0] },
        answered("getNextAssertion hmac-secret output", 8) { [2: authenticatorData(["hmac-secret": $0])] },
        answered("clientPIN pinUvAuthToken", 6) { [2: $0] },
        answered("credentialManagement largeBlobKey", 0x0A) { [9: 1, 0x0B: $0] },
        answered("credentialManagement preview largeBlobKey", 0x41) { [9: 1, 0x0B: $0] },
    ]

    /// Unknown places, where a broken client may put a secret.
    static let unknown = [
        asked("an unknown member", 1) { [0x30: $0] },
        asked("an unknown extension", 2) { [4: ["example": ["deep": [$0]]]] },
        asked("bytes instead of a number", 6) { [1: $0] },
        asked("bytes instead of a key", 6) { [3: $0] },
        asked("bytes instead of a map", 1) { [2: $0] },
        asked("bytes among the options", 1) { [7: ["rk": $0]] },
        asked("parameters of a subcommand there is not", 0x0D) { [1: 0x77, 2: [1: $0]] },
        asked("a vendor's parameters", 0x0D) { [1: 0xFF, 2: [2: $0]] },
        asked("a vendor's command", 0x55) { [1: $0] },
        asked("parameters of a command that has none", 4) { [1: $0] },
        asked("no map at all", 6) { $0 },
        answered("an unknown member of an answer", 4) { [0x30: $0] },
        answered("an answer to a vendor's command", 0x55) { [$0] },
        answered("an unknown extension output", 2) { [2: authenticatorData(["example": $0])] },
        answered("an output that is not a map", 2) { [2: authenticatorData($0)] },
        answered("a key of a type there is not", 6) { [1: [1: 99, -1: $0]] },
    ]
}
