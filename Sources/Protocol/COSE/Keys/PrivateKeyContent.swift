internal import Synchronization

/// The halves of a private key, computed at their first use: a device with many credentials uses few of them.
final class PrivateKeyContent: Sendable {
    private struct Parts {
        var raw: [UInt8]?
        var material: COSE.PrivateKey.Material?
        var publicKey: COSE.PublicKey?
    }

    private let algorithm: COSE.Algorithm
    private let scheme: COSE.Scheme?
    private let parts: Mutex<Parts>

    /// A key from bytes that ``COSE/Scheme/acceptsPrivateKey(_:)``.
    init(_ algorithm: COSE.Algorithm, _ scheme: COSE.Scheme, checked raw: [UInt8]) {
        self.algorithm = algorithm
        self.scheme = scheme
        parts = Mutex(Parts(raw: raw))
    }

    init(_ algorithm: COSE.Algorithm, _ material: COSE.PrivateKey.Material) throws {
        self.algorithm = algorithm
        scheme = nil
        parts = Mutex(Parts(material: material, publicKey: try material.publicKey(for: algorithm)))
    }

    var rawRepresentation: [UInt8] { parts.withLock { $0.raw ?? material(&$0).rawRepresentation } }

    var material: COSE.PrivateKey.Material { parts.withLock { material(&$0) } }

    var publicKey: COSE.PublicKey {
        parts.withLock { parts in
            if let publicKey = parts.publicKey { return publicKey }
            guard let publicKey = try? material(&parts).publicKey(for: algorithm) else { Self.memoryIsExhausted() }
            parts.publicKey = publicKey
            return publicKey
        }
    }

    private func material(_ parts: inout Parts) -> COSE.PrivateKey.Material {
        if let material = parts.material { return material }
        guard let scheme, let raw = parts.raw, let material = try? COSE.PrivateKey.Material(scheme, raw) else {
            Self.memoryIsExhausted()
        }
        parts.material = material
        return material
    }

    /// The libraries refuse a checked key only when they get no memory.
    private static func memoryIsExhausted() -> Never { preconditionFailure("the library got no memory for a key") }
}

extension COSE.Scheme {
    /// Whether bytes are surely a private key of the scheme, which the libraries will read; RSA keys are left to them.
    func acceptsPrivateKey(_ bytes: [UInt8]) -> Bool {
        switch self {
        case .ecdsa(let curve, _):
            guard let order = curve.order, bytes.count == order.count else { return false }
            return bytes.contains { $0 != 0 } && bytes.lexicographicallyPrecedes(order)
        case .edDSA(let curve): return bytes.count == curve.coordinateLength
        case .mlDSA: return bytes.count == 32
        case .rsa: return false
        }
    }
}

extension COSE.Curve {
    /// The order of the base point, big-endian and as long as a scalar (SEC 2 §2.4.1, §2.4.2, §2.5.1, §2.6.1); nil for the
    /// curves of EdDSA, whose private keys are seeds.
    var order: [UInt8]? {
        switch self {
        case .p256: Self.p256Order
        case .p384: Self.p384Order
        case .p521: Self.p521Order
        case .secp256k1: Self.secp256k1Order
        case .ed25519, .ed448: nil
        }
    }

    private static let p256Order: [UInt8] =
        [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0] + [UInt8](repeating: 0xFF, count: 8) + [
            0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
        ]
    private static let p384Order: [UInt8] =
        [UInt8](repeating: 0xFF, count: 24) + [
            0xC7, 0x63, 0x4D, 0x81, 0xF4, 0x37, 0x2D, 0xDF, 0x58, 0x1A, 0x0D, 0xB2, 0x48, 0xB0, 0xA7, 0x7A,
            0xEC, 0xEC, 0x19, 0x6A, 0xCC, 0xC5, 0x29, 0x73,
        ]
    private static let p521Order: [UInt8] =
        [0x01] + [UInt8](repeating: 0xFF, count: 32) + [
            0xFA, 0x51, 0x86, 0x87, 0x83, 0xBF, 0x2F, 0x96, 0x6B, 0x7F, 0xCC, 0x01, 0x48, 0xF7, 0x09, 0xA5,
            0xD0, 0x3B, 0xB5, 0xC9, 0xB8, 0x89, 0x9C, 0x47, 0xAE, 0xBB, 0x6F, 0xB7, 0x1E, 0x91, 0x38, 0x64, 0x09,
        ]
    private static let secp256k1Order: [UInt8] =
        [UInt8](repeating: 0xFF, count: 15) + [
            0xFE, 0xBA, 0xAE, 0xDC, 0xE6, 0xAF, 0x48, 0xA0, 0x3B, 0xBF, 0xD2, 0x5E, 0x8C, 0xD0, 0x36, 0x41, 0x41,
        ]
}
