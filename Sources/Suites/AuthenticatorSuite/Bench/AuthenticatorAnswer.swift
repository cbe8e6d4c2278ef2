package import CBOR
package import CTAP

/// The answer of an authenticator to one message.
package struct AuthenticatorAnswer: Sendable {
    /// The status byte and the response; never empty.
    package let bytes: [UInt8]
    package let status: CTAPStatus
    /// The response, read leniently, without bytes that follow it; nil where it is absent or unreadable.
    package let cbor: CBOR.Value?
    /// The rule of canonical CBOR that the response breaks.
    package let encodingProblem: CBOR.DecodingError?
    /// The reported keepalives, without repetitions.
    package let keepalives: [KeepaliveStatus]
    package let duration: Duration
    /// The command of the message; nil for an empty message.
    let command: CTAPCommand?

    init(_ bytes: [UInt8], to command: CTAPCommand?, keepalives: [KeepaliveStatus] = [], duration: Duration = .zero) {
        self.command = command
        self.bytes = bytes
        self.keepalives = keepalives
        self.duration = duration
        status = CTAPStatus(rawValue: bytes.first ?? CTAPStatus.other.rawValue)
        var problem: CBOR.DecodingError?
        var value: CBOR.Value?
        if bytes.count > 1 {
            do {
                value = try CBOR.decode(bytes, from: 1, options: .attestation)
            } catch {
                problem = error
                value = try? CBOR.decodePrefix(bytes, from: 1, options: .lenient).value
            }
        }
        cbor = value
        encodingProblem = problem
    }

    package var askedForUser: Bool { keepalives.contains(.userPresenceNeeded) }

    /// The reason why a success of MakeCredential or GetAssertion gives no credential and no signature; nil for an answer that
    /// has authenticator data, and for other commands.
    var formProblem: String? {
        guard status == .ok, command == .makeCredential || command == .getAssertion else { return nil }
        guard let cbor else { return bytes.count > 1 ? "bytes that cannot be read as CBOR" : "no bytes" }
        guard case .map(let map) = cbor else { return "a \(cbor.kind.rawValue)" }
        guard case .bytes? = map[2] else {
            return map[2].map { "authData (0x02) as a \($0.kind.rawValue)" } ?? "a map without authData (0x02)"
        }
        return nil
    }

    var isMap: Bool { if case .map? = cbor { true } else { false } }

    /// The response's map; empty where it has none.
    package var map: CBOR.Map { if case .map(let map)? = cbor { map } else { CBOR.Map() } }

    /// The name of the status with the prefix of the specification, such as `CTAP2_ERR_INVALID_CBOR (0x12)`.
    package var seen: String { status.specified }
}

extension CTAPStatus {
    /// The name with the prefix of the specification (CTAP 2.3 §8.2).
    package var specified: String {
        guard self != .ok else { return "CTAP2_OK (0x00)" }
        guard name != nil else { return "the status \(self)" }
        // The statuses up to 0x0B are those of CTAP1, as is 0x7F.
        return (rawValue <= 0x0B || rawValue == 0x7F ? "CTAP1_ERR_" : "CTAP2_ERR_") + description
    }
}

extension [CTAPStatus] {
    /// The names in words: one, or several of which one is demanded.
    package var specified: String {
        count < 2 ? map(\.specified).joined() : "one of " + map(\.specified).joined(separator: ", ")
    }
}
