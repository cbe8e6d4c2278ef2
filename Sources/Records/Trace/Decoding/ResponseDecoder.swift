package import CBOR
internal import CTAP
internal import WebAuthn

/// Decodes the authenticator's part of a WebAuthn response as far as possible.
package enum ResponseDecoder {
    /// The members of an attestation object (WebAuthn L3 §6.5.4).
    package static func attestationObject(_ bytes: [UInt8]) -> [TraceField] {
        let members: [MapMember] = [
            MapMember("fmt", .text), MapMember("attStmt", .anything),
            MapMember("authData", .authenticatorData(outputs: ExtensionDescription.creationOutputs)),
        ]
        let item: CBOR.Value
        do {
            item = try CBOR.decode(bytes, options: .attestation)
        } catch {
            // CBOR with no other error than its non-canonical form can still be decoded.
            guard let readable = try? CBOR.decode(bytes, options: .lenient) else {
                return [.undecoded(bytes[...], "\(error)")]
            }
            item = readable
        }
        guard case .map(let map) = item else { return [FieldDecoder.field(item, as: .anything)] }
        return FieldDecoder.fields(map, as: members)
    }

    /// The members of a COSE key (RFC 9052 §7).
    package static func coseKey(_ key: CBOR.Value) -> [TraceField] { FieldDecoder.field(key, as: .coseKey).items }

    /// The members of hmac-secret's input (CTAP 2.3 §12.7).
    package static func hmacSecretInput(_ map: CBOR.Map) -> [TraceField] {
        FieldDecoder.field(.map(map), as: ExtensionDescription.hmacSecretInput).items
    }

    /// An item of unknown meaning, with its parts.
    package static func item(_ item: CBOR.Value) -> TraceField { FieldDecoder.field(item, as: .anything) }

    /// The parts of a registration's authenticator data (WebAuthn L3 §6.1).
    package static func registrationData(_ bytes: [UInt8]) -> [TraceField] {
        AuthenticatorDataDecoder.fields(bytes, outputs: ExtensionDescription.creationOutputs)
    }

    /// The parts of an assertion's authenticator data (WebAuthn L3 §6.1).
    package static func authenticatorData(_ bytes: [UInt8]) -> [TraceField] {
        AuthenticatorDataDecoder.fields(bytes, outputs: ExtensionDescription.assertionOutputs)
    }
}

extension TraceField {
    /// The field as lines of text, two columns further in for each level.
    package func lines(indent: Int = 0) -> [String] { FieldText().lines(self, indent: indent) }
}
