import COSE
import TestSupport
import Testing

/// A private key is checked when it is read, although its parts are computed at their first use.
@Suite struct PrivateKeyRangeTests {
    struct Curve: Sendable, CustomTestStringConvertible {
        let algorithm: COSE.Algorithm
        /// The order of the base point (SEC 2).
        let order: String
        var testDescription: String { "\(algorithm)" }
    }

    static let curves = [
        Curve(algorithm: .es256, order: "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"),
        Curve(
            algorithm: .es384,
            order: "ffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973"),
        Curve(
            algorithm: .es512,
            order:
                "01" + String(repeating: "f", count: 64)
                + "fa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409"),
        Curve(algorithm: .es256K, order: "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"),
    ]

    private static func bytes(_ hex: String) -> [UInt8] {
        let digits = Array(hex)
        return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...($0 + 1)]), radix: 16) }
    }

    @Test("The largest scalar is a key, and signs", arguments: curves)
    func largest(_ curve: Curve) throws {
        var scalar = Self.bytes(curve.order)
        scalar[scalar.count - 1] -= 1
        let key = try COSE.PrivateKey(algorithm: curve.algorithm, rawRepresentation: scalar)
        #expect(key.rawRepresentation == scalar)
        let signature = try key.sign([1, 2, 3])
        #expect(key.publicKey.verify(signature, over: [1, 2, 3]))
        #expect(key.rawRepresentation == scalar)
    }

    @Test("Zero, the order, more than the order and other lengths are refused as keys", arguments: curves)
    func refused(_ curve: Curve) {
        let order = Self.bytes(curve.order)
        var more = order
        more[more.count - 1] += 1
        for bytes in [
            order, more, [UInt8](repeating: 0, count: order.count), Array(order.dropFirst()), order + [0], [],
        ] {
            #expect(throws: COSE.KeyError.invalidPrivateKey) {
                try COSE.PrivateKey(algorithm: curve.algorithm, rawRepresentation: bytes)
            }
        }
    }

    @Test(
        "Seeds of another length are refused as keys",
        arguments: [COSE.Algorithm.edDSA, .ed448, .mlDSA65, .mlDSA87], [0, 31, 33, 56, 58])
    func seeds(_ algorithm: COSE.Algorithm, _ length: Int) {
        #expect(throws: COSE.KeyError.invalidPrivateKey) {
            try COSE.PrivateKey(algorithm: algorithm, rawRepresentation: [UInt8](repeating: 7, count: length))
        }
    }
}
