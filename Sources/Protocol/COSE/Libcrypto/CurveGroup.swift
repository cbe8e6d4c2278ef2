#if SYSTEM_LIBRARIES
internal import COpenSSL

/// The group of points of a Weierstrass curve, in libcrypto.
struct CurveGroup {
    let coordinateLength: Int
    let order: Arithmetic.Number
    private let group: OpaquePointer
    private let arithmetic: Arithmetic

    /// Runs `body` with the group of a curve; neither the group nor its numbers must escape.
    static func run<Result>(_ curve: COSE.Curve, _ body: (CurveGroup, Arithmetic) throws -> Result) throws -> Result {
        guard let name = curve.libcryptoName, let group = EC_GROUP_new_by_curve_name(name) else {
            throw LibcryptoError()
        }
        defer { EC_GROUP_free(group) }
        return try Arithmetic.run { arithmetic in
            let order = try arithmetic.number()
            try LibcryptoError.check(EC_GROUP_get_order(group, order, arithmetic.context))
            return try body(
                CurveGroup(
                    coordinateLength: curve.coordinateLength, order: order, group: group, arithmetic: arithmetic),
                arithmetic)
        }
    }

    /// The base point times a number from 1 to the order less 1, as coordinates.
    func basePoint(times scalar: Arithmetic.Number) throws -> (x: Arithmetic.Number, y: Arithmetic.Number) {
        guard let point = EC_POINT_new(group) else { throw LibcryptoError() }
        defer { EC_POINT_clear_free(point) }
        try LibcryptoError.check(EC_POINT_mul(group, point, scalar, nil, nil, arithmetic.context))
        let (x, y) = (try arithmetic.number(), try arithmetic.number())
        try LibcryptoError.check(EC_POINT_get_affine_coordinates(group, point, x, y, arithmetic.context))
        return (x, y)
    }

    /// Whether 0x04 ‖ x ‖ y names a point of the group.
    func contains(x963Representation bytes: [UInt8]) -> Bool {
        guard let point = EC_POINT_new(group) else { return false }
        defer { EC_POINT_free(point) }
        let isPoint = EC_POINT_oct2point(group, point, bytes, bytes.count, arithmetic.context) == 1
        ERR_clear_error()
        return isPoint
    }
}

extension COSE.Curve {
    fileprivate var libcryptoName: Int32? {
        switch self {
        case .p256: NID_X9_62_prime256v1
        case .p384: NID_secp384r1
        case .p521: NID_secp521r1
        case .secp256k1: NID_secp256k1
        case .ed25519, .ed448: nil
        }
    }
}
#endif
