/// A request or a response: its bytes and their decoded fields.
package struct TraceMessage: Hashable, Sendable {
    /// Its length in bytes, with the command or status byte.
    package var length: Int
    /// Its bytes; nil when they contain a masked secret.
    package var raw: [UInt8]?
    /// Its fields, in the order of the wire.
    package var fields: [TraceField] = []
    /// The violated rule of CTAP2's canonical CBOR, or another defect.
    package var problem: String?

    package var holdsSecrets: Bool { fields.contains(where: \.holdsSecrets) }

    /// A copy without the values of secrets, and without the raw bytes that contain them.
    package var masked: TraceMessage {
        guard holdsSecrets else { return self }
        return TraceMessage(length: length, fields: fields.map(\.masked), problem: problem)
    }
}
