/// An enumeration whose unknown values readers must ignore (WebAuthn L3 §2.1.1).
protocol OpenEnumeration: RawRepresentable, Decodable where RawValue == String {}

extension UserVerificationRequirement: OpenEnumeration {}
extension ResidentKeyRequirement: OpenEnumeration {}
extension AuthenticatorAttachment: OpenEnumeration {}
extension AttestationConveyancePreference: OpenEnumeration {}

extension KeyedDecodingContainer {
    /// The value under a key, or nil when the member is absent, null or an unknown value.
    ///
    /// Synthesised initialisers in this module pick this overload for optional members of an open enumeration.
    func decodeIfPresent<Value: OpenEnumeration>(_: Value.Type, forKey key: Key) throws -> Value? {
        try decodeIfPresent(String.self, forKey: key).flatMap { Value(rawValue: $0) }
    }
}
