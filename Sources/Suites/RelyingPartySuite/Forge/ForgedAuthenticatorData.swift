internal import CBOR
internal import WebAuthn

/// Authenticator data with parts that a case may change (WebAuthn L3 §6.1).
struct ForgedAuthenticatorData: Sendable {
    /// Attested credential data (WebAuthn L3 §6.5.1).
    struct Attested: Sendable {
        var aaguid: AAGUID
        var id: [UInt8]
        /// The length that is written; nil for the ID's own.
        var length: Int?
        var key: [UInt8]

        var encoded: [UInt8] {
            let length = length ?? id.count
            return aaguid.bytes + [UInt8(truncatingIfNeeded: length >> 8), UInt8(truncatingIfNeeded: length)] + id + key
        }
    }

    var relyingPartyIDHash: [UInt8]
    var flags: AuthenticatorDataFlags
    var counter: UInt32
    var attested: Attested?
    var extensions: [UInt8] = []
    /// Changes the bytes before they are signed.
    var write: @Sendable ([UInt8]) -> [UInt8] = { $0 }

    var encoded: [UInt8] {
        var bytes = relyingPartyIDHash + [flags.rawValue]
        withUnsafeBytes(of: counter.bigEndian) { bytes += $0 }
        return write(bytes + (attested?.encoded ?? []) + extensions)
    }

    /// Adds extension outputs, and ED.
    mutating func add(extensions value: CBOR.Value) {
        extensions = CBOR.encode(value)
        flags.insert(.extensionData)
    }

    mutating func changeKey(_ change: (inout CBOR.Map) -> Void) {
        guard let key = attested?.key, let value = try? CBOR.decode(key, options: .attestation),
            case .map(var map) = value
        else { return }
        change(&map)
        attested?.key = CBOR.encode(.map(map))
    }
}
