import CBOR
import COSE
import Testing

/// Refused credential public keys (WebAuthn L3 §5.8.5, §6.5.1.1).
struct PublicKeyRefusalTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let what: String
        let key: KnownAnswer
        let change: @Sendable (inout CBOR.Map) -> Void
        let error: COSE.KeyError

        var testDescription: String { "\(key): \(what)" }

        init(
            _ what: String, _ key: KnownAnswer, _ error: COSE.KeyError,
            _ change: @escaping @Sendable (inout CBOR.Map) -> Void
        ) {
            self.what = what
            self.key = key
            self.change = change
            self.error = error
        }
    }

    private static func zeros(_ count: Int) -> CBOR.Value { .bytes([UInt8](repeating: 0, count: count)) }

    private static func flipped(_ value: CBOR.Value?) -> CBOR.Value? {
        guard case .bytes(var bytes) = value, let last = bytes.indices.last else { return nil }
        bytes[last] ^= 1
        return .bytes(bytes)
    }

    static let missing: [Row] = [
        Row("kty", .es256, .missingParameter(1)) { $0[1] = nil },
        Row("alg", .es256, .missingParameter(3)) { $0[3] = nil },
        Row("crv", .es256, .missingParameter(-1)) { $0[-1] = nil },
        Row("x", .es256, .missingParameter(-2)) { $0[-2] = nil },
        Row("y", .es256, .missingParameter(-3)) { $0[-3] = nil },
        Row("everything", .es256, .missingParameter(1)) { $0 = [:] },
        Row("kty", .edDSA, .missingParameter(1)) { $0[1] = nil },
        Row("alg", .edDSA, .missingParameter(3)) { $0[3] = nil },
        Row("crv", .edDSA, .missingParameter(-1)) { $0[-1] = nil },
        Row("x", .edDSA, .missingParameter(-2)) { $0[-2] = nil },
    ]

    static let wrongTypes: [Row] = [
        Row("kty is text", .es256, .malformed("parameter 1 is a text string, not a integer")) { $0[1] = "EC2" },
        Row("kty beyond Int", .es256, .malformed("parameter 1 is out of range")) { $0[1] = .unsigned(.max) },
        Row("alg is bytes", .es256, .malformed("parameter 3 is a byte string, not a integer")) { $0[3] = .bytes([7]) },
        Row("alg below Int", .es256, .malformed("parameter 3 is out of range")) { $0[3] = .negative(.max) },
        Row("crv is null", .es256, .malformed("parameter -1 is a null, not a integer")) { $0[-1] = .null },
        Row("x is text", .es256, .malformed("parameter -2 is a text string, not a byte string")) { $0[-2] = "x" },
        Row("x is boolean", .es256, .malformed("parameter -2 is a boolean, not a byte string")) { $0[-2] = true },
        Row("y is an array", .es256, .malformed("parameter -3 is a array, not a byte string")) { $0[-3] = [] },
        Row("y is true", .es256, .compressedPoint) { $0[-3] = true },
        Row("y is false", .es384, .compressedPoint) { $0[-3] = false },
        Row("y is true", .es512, .compressedPoint) { $0[-3] = true },
    ]

    static let surplus: [Row] = [
        Row("kid", .es256, .unexpectedParameter("2")) { $0[2] = .bytes([1]) },
        Row("key_ops", .es256, .unexpectedParameter("4")) { $0[4] = [2] },
        Row("the private key", .es256, .unexpectedParameter("-4")) { $0[-4] = zeros(32) },
        Row("a text label", .es256, .unexpectedParameter("\"x5c\"")) { $0["x5c"] = [] },
        Row("y on Ed25519", .edDSA, .unexpectedParameter("-3")) { $0[-3] = zeros(32) },
        Row("the private key", .edDSA, .unexpectedParameter("-4")) { $0[-4] = zeros(32) },
    ]

    static let mismatches: [Row] = [
        Row("RS256 on EC2", .es256, .keyTypeMismatch(.rs256, keyType: 2)) { $0[3] = -257 },
        Row("ML-DSA-65 on EC2", .es256, .keyTypeMismatch(.mlDSA65, keyType: 2)) { $0[3] = -49 },
        Row("ML-DSA-44", .es256, .unsupportedAlgorithm(.mlDSA44)) { $0[3] = -48 },
        Row("Ed25519 for Ed448", .edDSA, .curveMismatch(.ed448, curve: 6)) { $0[3] = -53 },
        Row("Ed448 for EdDSA", .ed448, .curveMismatch(.edDSA, curve: 7)) { $0[3] = -8 },
        Row("Ed448 for Ed25519", .ed448, .curveMismatch(.ed25519, curve: 7)) { $0[3] = -19 },
        Row("P-256 for ES256K", .es256, .curveMismatch(.es256K, curve: 1)) { $0[3] = -47 },
        Row("secp256k1 for ES256", .es256K, .curveMismatch(.es256, curve: 8)) { $0[3] = -7 },
        Row("key agreement", .es256, .unsupportedAlgorithm(.ecdhESHKDF256)) { $0[3] = -25 },
        Row("unknown", .es256, .unsupportedAlgorithm(COSE.Algorithm(rawValue: 7))) { $0[3] = 7 },
        Row("OKP for ES256", .es256, .keyTypeMismatch(.es256, keyType: 1)) { $0[1] = 1 },
        Row("RSA for ES256", .es256, .keyTypeMismatch(.es256, keyType: 3)) { $0[1] = 3 },
        Row("EC2 for EdDSA", .edDSA, .keyTypeMismatch(.edDSA, keyType: 2)) { $0[1] = 2 },
        Row("ES256 on OKP", .edDSA, .keyTypeMismatch(.es256, keyType: 1)) { $0[3] = -7 },
        Row("P-384 for ES256", .es256, .curveMismatch(.es256, curve: 2)) { $0[-1] = 2 },
        Row("secp256k1 for ES256", .es256, .curveMismatch(.es256, curve: 8)) { $0[-1] = 8 },
        Row("P-256 for ES384", .es256, .curveMismatch(.es384, curve: 1)) { $0[3] = -35 },
        Row("P-256 for ESP512", .es256, .curveMismatch(.esp512, curve: 1)) { $0[3] = -52 },
        Row("P-256 for ES384", .es384, .curveMismatch(.es384, curve: 1)) { $0[-1] = 1 },
        Row("P-384 for ES512", .es512, .curveMismatch(.es512, curve: 2)) { $0[-1] = 2 },
        Row("X25519 for EdDSA", .edDSA, .curveMismatch(.edDSA, curve: 4)) { $0[-1] = 4 },
        Row("Ed448 for EdDSA", .edDSA, .curveMismatch(.edDSA, curve: 7)) { $0[-1] = 7 },
    ]

    static let points: [Row] = [
        Row("short x", .es256, .wrongLength(parameter: -2, expected: 32, found: 31)) { $0[-2] = zeros(31) },
        Row("long x", .es256, .wrongLength(parameter: -2, expected: 32, found: 33)) { $0[-2] = zeros(33) },
        Row("empty x", .es256, .wrongLength(parameter: -2, expected: 32, found: 0)) { $0[-2] = zeros(0) },
        Row("short y", .es256, .wrongLength(parameter: -3, expected: 32, found: 31)) { $0[-3] = zeros(31) },
        Row("empty y", .es256, .wrongLength(parameter: -3, expected: 32, found: 0)) { $0[-3] = zeros(0) },
        Row("long y", .es384, .wrongLength(parameter: -3, expected: 48, found: 49)) { $0[-3] = zeros(49) },
        Row("x without its zero", .es512, .wrongLength(parameter: -2, expected: 66, found: 65)) { $0[-2] = zeros(65) },
        Row("short x", .edDSA, .wrongLength(parameter: -2, expected: 32, found: 31)) { $0[-2] = zeros(31) },
        Row("long x", .edDSA, .wrongLength(parameter: -2, expected: 32, found: 64)) { $0[-2] = zeros(64) },
        Row("short x", .ed448, .wrongLength(parameter: -2, expected: 57, found: 56)) { $0[-2] = zeros(56) },
        Row("long x", .ed448, .wrongLength(parameter: -2, expected: 57, found: 58)) { $0[-2] = zeros(58) },
        Row("short x", .es256K, .wrongLength(parameter: -2, expected: 32, found: 31)) { $0[-2] = zeros(31) },
        Row("another y", .es256K, .notOnCurve) { $0[-3] = flipped($0[-3]) },
        Row("zeros", .es256K, .notOnCurve) { ($0[-2], $0[-3]) = (zeros(32), zeros(32)) },
        Row("y beyond the field", .es256K, .notOnCurve) { $0[-3] = .bytes([UInt8](repeating: 0xFF, count: 32)) },
        Row("another y", .es256, .notOnCurve) { $0[-3] = flipped($0[-3]) },
        Row("another x", .es256, .notOnCurve) { $0[-2] = flipped($0[-2]) },
        Row("x and y exchanged", .es256, .notOnCurve) { ($0[-2], $0[-3]) = ($0[-3], $0[-2]) },
        Row("zeros", .es256, .notOnCurve) { ($0[-2], $0[-3]) = (zeros(32), zeros(32)) },
        Row("y beyond the field", .es256, .notOnCurve) { $0[-3] = .bytes([UInt8](repeating: 0xFF, count: 32)) },
        Row("another y", .es384, .notOnCurve) { $0[-3] = flipped($0[-3]) },
        Row("zeros", .es384, .notOnCurve) { ($0[-2], $0[-3]) = (zeros(48), zeros(48)) },
        Row("another y", .es512, .notOnCurve) { $0[-3] = flipped($0[-3]) },
        Row("y beyond the field", .es512, .notOnCurve) { $0[-3] = .bytes([UInt8](repeating: 0xFF, count: 66)) },
    ]

    @Test(arguments: missing + wrongTypes + surplus + mismatches + points)
    func aBadKeyIsRefusedWithItsReason(row: Row) throws {
        guard case .map(var map) = try CBOR.decode(row.key.publicKey) else {
            Issue.record("the vector is not a map")
            return
        }
        row.change(&map)
        #expect(throws: row.error) { try COSE.PublicKey(cbor: .map(map)) }
    }

    @Test(arguments: [.array([]), .bytes([0x04]), .null, 2] as [CBOR.Value])
    func aKeyOtherThanAMapIsMalformed(value: CBOR.Value) {
        #expect(throws: COSE.KeyError.malformed("it is a \(value.kind.rawValue), not a map")) {
            try COSE.PublicKey(cbor: value)
        }
    }

    @Test func coordinatesForAnAlgorithmWithoutThemAreRefused() {
        #expect(throws: COSE.KeyError.unsupportedAlgorithm(.mlDSA44)) {
            try COSE.PublicKey(algorithm: .mlDSA44, x: [1], y: [2])
        }
        #expect(throws: COSE.KeyError.keyTypeMismatch(.rs256, keyType: 2)) {
            try COSE.PublicKey(algorithm: .rs256, x: [1], y: [2])
        }
        #expect(throws: COSE.KeyError.wrongLength(parameter: -3, expected: 0, found: 32)) {
            let zeros = [UInt8](repeating: 0, count: 32)
            return try COSE.PublicKey(algorithm: .edDSA, x: zeros, y: zeros)
        }
    }

    /// 32-byte strings that decode to no point of Ed25519 (RFC 8032 §5.1.3): no square root for these y.
    @Test(arguments: [UInt8(2), 7, 8, 11, 12, 13])
    func anEd25519KeyThatIsNoPointVerifiesNothing(y: UInt8) throws {
        let key = try COSE.PublicKey(algorithm: .edDSA, x: [y] + [UInt8](repeating: 0, count: 31))
        let zeros = [UInt8](repeating: 0, count: 64)
        let neutral = [UInt8(1)] + [UInt8](repeating: 0, count: 63)
        for signature in [zeros, neutral, KnownAnswer.edDSA.signature, KnownAnswer.rfc8032.signature] {
            #expect(!key.verify(signature, over: KnownAnswer.edDSA.message))
            #expect(!key.verify(signature, over: []))
        }
    }

    @Test func everyRefusalReadsDifferently() {
        let errors: [COSE.KeyError] = [
            .malformed("x"), .missingParameter(1), .unexpectedParameter("2"), .unsupportedAlgorithm(.rs256),
            .keyTypeMismatch(.es256, keyType: 1), .curveMismatch(.es256, curve: 2),
            .wrongLength(parameter: -2, expected: 32, found: 31), .compressedPoint, .notOnCurve, .invalidPrivateKey,
            .modulusSize(bits: 1024), .leadingZero(parameter: -1), .randomizedOnly(.mlDSA65),
        ]
        #expect(Set(errors.map(\.description)).count == errors.count)
        #expect(COSE.KeyError.curveMismatch(.es256, curve: 2).description == "curve 2 does not belong to ES256")
    }
}
