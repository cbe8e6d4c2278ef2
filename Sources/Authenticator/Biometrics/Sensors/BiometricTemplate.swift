/// One enrolled finger, face, iris or voice.
public struct BiometricTemplate: Hashable, Codable, Sendable {
    /// The unique ID within the sensor; CTAP's `templateId` (CTAP 2.3 §6.7).
    public let id: [UInt8]
    /// The name given by the user, if any; CTAP's `templateFriendlyName`.
    public internal(set) var name: String

    /// Describes a template.
    public init(id: [UInt8], name: String) {
        self.id = id
        self.name = name
    }
}
