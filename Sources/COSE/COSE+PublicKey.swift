public import CBOR
internal import Crypto
internal import Foundation

extension COSE {
    /// A public key of a supported algorithm whose point has been checked to lie on its curve.
    ///
    /// An Ed25519 key is checked for its length only: 32 bytes that name no point verify nothing.
    ///
    /// As CBOR: `{1: kty, 3: alg, -1: crv, -2: x}` and, for curves with two coordinates, `-3: y`.
    public struct PublicKey: Hashable, Sendable {
        /// The algorithm the key is for.
        public let algorithm: Algorithm
        /// The curve its point lies on.
        public let curve: Curve
        /// The x coordinate, big-endian, or the whole key for Ed25519: 32, 48 or 66 bytes.
        public let x: [UInt8]
        /// The y coordinate, big-endian; empty for Ed25519.
        public let y: [UInt8]

        /// A key from its coordinates.
        ///
        /// - Throws: ``KeyError`` when the algorithm is unsupported, a length is wrong or the point is off its NIST
        ///   curve.
        public init(algorithm: Algorithm, x: [UInt8], y: [UInt8] = []) throws(KeyError) {
            guard let curve = algorithm.curve else { throw .unsupportedAlgorithm(algorithm) }
            let length = curve.coordinateLength
            guard x.count == length else { throw .wrongLength(parameter: -2, expected: length, found: x.count) }
            let expectedY = curve == .ed25519 ? 0 : length
            guard y.count == expectedY else { throw .wrongLength(parameter: -3, expected: expectedY, found: y.count) }
            self.algorithm = algorithm
            self.curve = curve
            self.x = x
            self.y = y
            guard isOnCurve else { throw .notOnCurve }
        }

        /// A key from its CBOR form, refusing what WebAuthn L3 §5.8.5 and §6.5.1.1 refuse.
        public init(cbor: CBOR.Value) throws(KeyError) {
            guard case .map(let map) = cbor else { throw .malformed("it is a \(cbor.kind.rawValue), not a map") }
            let keyType = try Self.integer(map, 1)
            let algorithm = Algorithm(rawValue: try Self.integer(map, 3))
            guard let curve = algorithm.curve else { throw .unsupportedAlgorithm(algorithm) }
            guard keyType == curve.keyType.rawValue else { throw .keyTypeMismatch(algorithm, keyType: keyType) }
            let curveNumber = try Self.integer(map, -1)
            guard curveNumber == curve.rawValue else { throw .curveMismatch(algorithm, curve: curveNumber) }
            let allowed: [CBOR.Value] = curve.keyType == .ellipticCurve ? [1, 3, -1, -2, -3] : [1, 3, -1, -2]
            if let extra = map.keys.first(where: { !allowed.contains($0) }) {
                throw .unexpectedParameter(extra.description)
            }
            let x = try Self.bytes(map, -2)
            guard curve.keyType == .ellipticCurve else {
                try self.init(algorithm: algorithm, x: x)
                return
            }
            if case .bool = map[-3] { throw .compressedPoint }
            try self.init(algorithm: algorithm, x: x, y: try Self.bytes(map, -3))
        }

        /// The key's CBOR form.
        public var cbor: CBOR.Value {
            var map: CBOR.Map = [
                1: .integer(curve.keyType.rawValue), 3: .integer(algorithm.rawValue), -1: .integer(curve.rawValue),
                -2: .bytes(x),
            ]
            if curve.keyType == .ellipticCurve { map[-3] = .bytes(y) }
            return .map(map)
        }

        /// The key's canonical CBOR encoding.
        public var encoded: [UInt8] { CBOR.encode(cbor) }

        /// 0x04 ‖ x ‖ y (ANSI X9.63), or the 32 bytes of an Ed25519 key.
        public var rawRepresentation: [UInt8] {
            curve == .ed25519 ? x : [0x04] + x + y
        }

        private var isOnCurve: Bool {
            switch curve {
            case .p256: (try? P256.Signing.PublicKey(x963Representation: rawRepresentation)) != nil
            case .p384: (try? P384.Signing.PublicKey(x963Representation: rawRepresentation)) != nil
            case .p521: (try? P521.Signing.PublicKey(x963Representation: rawRepresentation)) != nil
            case .ed25519: (try? Curve25519.Signing.PublicKey(rawRepresentation: x)) != nil
            }
        }

        private static func integer(_ map: CBOR.Map, _ label: Int) throws(KeyError) -> Int {
            guard let value = map[label] else { throw .missingParameter(label) }
            do {
                return try value.asInteger("parameter \(label)")
            } catch {
                throw .malformed(error.description)
            }
        }

        private static func bytes(_ map: CBOR.Map, _ label: Int) throws(KeyError) -> [UInt8] {
            guard let value = map[label] else { throw .missingParameter(label) }
            do {
                return try value.asBytes("parameter \(label)")
            } catch {
                throw .malformed(error.description)
            }
        }
    }
}

extension COSE.PublicKey {
    /// Whether `signature` is this key's signature over `message`.
    ///
    /// ECDSA signatures must be strict DER (WebAuthn L3 §6.5.5): an encoding with surplus bytes, padded or negative
    /// integers is refused even where the numbers inside would verify.
    public func verify(_ signature: [UInt8], over message: [UInt8]) -> Bool {
        switch curve {
        case .p256:
            guard let key = try? P256.Signing.PublicKey(x963Representation: rawRepresentation),
                let parsed = try? P256.Signing.ECDSASignature(derRepresentation: signature),
                Array(parsed.derRepresentation) == signature
            else { return false }
            return key.isValidSignature(parsed, for: SHA256.hash(data: message))
        case .p384:
            guard let key = try? P384.Signing.PublicKey(x963Representation: rawRepresentation),
                let parsed = try? P384.Signing.ECDSASignature(derRepresentation: signature),
                Array(parsed.derRepresentation) == signature
            else { return false }
            return key.isValidSignature(parsed, for: SHA384.hash(data: message))
        case .p521:
            guard let key = try? P521.Signing.PublicKey(x963Representation: rawRepresentation),
                let parsed = try? P521.Signing.ECDSASignature(derRepresentation: signature),
                Array(parsed.derRepresentation) == signature
            else { return false }
            return key.isValidSignature(parsed, for: SHA512.hash(data: message))
        case .ed25519:
            guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: x) else { return false }
            return key.isValidSignature(signature, for: message)
        }
    }
}
