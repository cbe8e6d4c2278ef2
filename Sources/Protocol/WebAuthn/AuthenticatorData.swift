public import CBOR

/// The flags byte of authenticator data (WebAuthn L3 §6.1).
public struct AuthenticatorDataFlags: OptionSet, Hashable, Sendable {
    /// The flags byte.
    public let rawValue: UInt8

    /// The flags of a byte.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// UP, bit 0: the user was present.
    public static let userPresent = AuthenticatorDataFlags(rawValue: 0x01)
    /// UV, bit 2: the user was verified.
    public static let userVerified = AuthenticatorDataFlags(rawValue: 0x04)
    /// BE, bit 3: the credential may be backed up.
    public static let backupEligible = AuthenticatorDataFlags(rawValue: 0x08)
    /// BS, bit 4: the credential is backed up.
    public static let backupState = AuthenticatorDataFlags(rawValue: 0x10)
    /// AT, bit 6: attested credential data follows.
    public static let attestedCredentialData = AuthenticatorDataFlags(rawValue: 0x40)
    /// ED, bit 7: extension outputs follow.
    public static let extensionData = AuthenticatorDataFlags(rawValue: 0x80)

    /// The set flags by their usual abbreviations, such as `UP UV AT`.
    public var abbreviations: String {
        let names: [(AuthenticatorDataFlags, String)] = [
            (.userPresent, "UP"), (.userVerified, "UV"), (.backupEligible, "BE"), (.backupState, "BS"),
            (.attestedCredentialData, "AT"), (.extensionData, "ED"),
        ]
        return names.filter { contains($0.0) }.map(\.1).joined(separator: " ")
    }
}

/// An authenticator's statement about a new credential: AAGUID (16 bytes), ID length (2 bytes, big-endian), ID,
/// public key as COSE (WebAuthn L3 §6.5.1).
public struct AttestedCredentialData: Hashable, Sendable {
    /// The authenticator's model.
    public var aaguid: AAGUID
    /// The credential's ID; at most 65,535 bytes fit, and a relying party refuses more than 1023.
    public var credentialID: [UInt8]
    /// The public key as COSE, kept as CBOR because the algorithm may be unknown to this library.
    public var credentialPublicKey: CBOR.Value

    /// Credential data of a model, an ID and a public key.
    public init(aaguid: AAGUID, credentialID: [UInt8], credentialPublicKey: CBOR.Value) {
        self.aaguid = aaguid
        self.credentialID = credentialID
        self.credentialPublicKey = credentialPublicKey
    }
}

/// The bytes an authenticator signs (WebAuthn L3 §6.1): SHA-256 of the RP ID (32), flags (1), counter (4,
/// big-endian), attested credential data when AT is set, extension outputs as a CBOR map when ED is set.
public struct AuthenticatorData: Hashable, Sendable {
    /// SHA-256 of the relying party's ID.
    public var relyingPartyIDHash: [UInt8]
    /// The flags, as stated.
    public var flags: AuthenticatorDataFlags
    /// The signature counter.
    public var signCount: UInt32
    /// The new credential; present exactly when AT is set.
    public var attestedCredentialData: AttestedCredentialData?
    /// Extension outputs; present exactly when ED is set.
    public var extensions: CBOR.Map?

    /// Authenticator data for a response; AT and ED follow from the parameters.
    public init(
        relyingPartyIDHash: [UInt8], flags: AuthenticatorDataFlags, signCount: UInt32,
        attestedCredentialData: AttestedCredentialData? = nil, extensions: CBOR.Map? = nil
    ) {
        self.relyingPartyIDHash = relyingPartyIDHash
        self.flags = flags.subtracting([.attestedCredentialData, .extensionData])
        if attestedCredentialData != nil { self.flags.insert(.attestedCredentialData) }
        if extensions != nil { self.flags.insert(.extensionData) }
        self.signCount = signCount
        self.attestedCredentialData = attestedCredentialData
        self.extensions = extensions
    }

    /// The reason bytes are not authenticator data.
    public enum ParsingError: Error, Hashable, Sendable, CustomStringConvertible {
        /// Fewer bytes than the part named needs.
        case truncated(String)
        /// Bytes are left over after the last part the flags announce.
        case surplusBytes(Int)
        /// The public key or the extension outputs are not canonical CBOR.
        case invalidCBOR(String, CBOR.DecodingError)
        /// The extension outputs are not a map.
        case extensionsNotAMap

        /// The violated rule and the part of the authenticator data.
        public var description: String {
            switch self {
            case .truncated(let part): "authenticator data ends inside \(part)"
            case .surplusBytes(let count):
                "\(count) \(count == 1 ? "byte follows" : "bytes follow") the authenticator data its flags announce"
            case .invalidCBOR(let part, let error): "\(part) in authenticator data: \(error)"
            case .extensionsNotAMap: "extension outputs in authenticator data are not a map"
            }
        }
    }

    /// Reads authenticator data; every length must be exact.
    ///
    /// - Throws: ``ParsingError``.
    public init(parsing bytes: [UInt8]) throws(ParsingError) {
        guard bytes.count >= 37 else { throw .truncated("its 37-byte head") }
        relyingPartyIDHash = Array(bytes[0..<32])
        flags = AuthenticatorDataFlags(rawValue: bytes[32])
        signCount = bytes[33..<37].reduce(0) { $0 << 8 | UInt32($1) }
        var position = 37
        if flags.contains(.attestedCredentialData) {
            guard bytes.count >= position + 18, let aaguid = AAGUID(bytes: Array(bytes[position..<position + 16]))
            else { throw .truncated("the attested credential data") }
            let length = Int(bytes[position + 16]) << 8 | Int(bytes[position + 17])
            position += 18
            guard bytes.count >= position + length else { throw .truncated("the credential ID") }
            let credentialID = Array(bytes[position..<position + length])
            position += length
            let key = try Self.item("the public key", bytes, &position)
            attestedCredentialData = AttestedCredentialData(
                aaguid: aaguid, credentialID: credentialID, credentialPublicKey: key)
        }
        if flags.contains(.extensionData) {
            guard case .map(let map) = try Self.item("the extension outputs", bytes, &position) else {
                throw .extensionsNotAMap
            }
            extensions = map
        }
        guard position == bytes.count else { throw .surplusBytes(bytes.count - position) }
    }

    private static func item(
        _ part: String, _ bytes: [UInt8], _ position: inout Int
    ) throws(ParsingError) -> CBOR.Value {
        do {
            let (value, end) = try CBOR.decodePrefix(bytes, from: position, options: .attestation)
            position = end
            return value
        } catch {
            throw .invalidCBOR(part, error)
        }
    }

    /// The bytes, with the flags as they stand in ``flags``.
    public var encoded: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256)
        bytes += relyingPartyIDHash
        bytes.append(flags.rawValue)
        withUnsafeBytes(of: signCount.bigEndian) { bytes += $0 }
        if let attested = attestedCredentialData {
            bytes += attested.aaguid.bytes
            withUnsafeBytes(of: UInt16(clamping: attested.credentialID.count).bigEndian) { bytes += $0 }
            bytes += attested.credentialID
            CBOR.append(attested.credentialPublicKey, to: &bytes)
        }
        if let extensions { CBOR.append(.map(extensions), to: &bytes) }
        return bytes
    }
}
