extension COSE {
    /// An elliptic curve (IANA "COSE Elliptic Curves").
    public enum Curve: Int, Sendable {
        case p256 = 1
        case p384 = 2
        case p521 = 3
        case ed25519 = 6
        case ed448 = 7
        case secp256k1 = 8

        /// Bytes of one coordinate, or of the whole public key for Ed25519 and Ed448.
        public var coordinateLength: Int {
            switch self {
            case .p256, .secp256k1, .ed25519: 32
            case .p384: 48
            case .ed448: 57
            case .p521: 66
            }
        }

        var keyType: KeyType { self == .ed25519 || self == .ed448 ? .octetKeyPair : .ellipticCurve }
    }

    /// A COSE key type, parameter 1 of a key (IANA "COSE Key Types").
    enum KeyType: Int {
        case octetKeyPair = 1
        case ellipticCurve = 2
        case rsa = 3
        /// A key whose form depends on its algorithm alone.
        case algorithmKeyPair = 7
    }
}
