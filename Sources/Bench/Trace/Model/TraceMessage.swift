/// A request or an answer: its bytes and what they say.
package struct TraceMessage: Hashable, Sendable {
    /// How many bytes it had, with the command or status byte.
    package var length: Int
    /// All of them; nil when something in them is secret and secrets are masked.
    package var raw: [UInt8]?
    /// What is in it, in the order of the wire.
    package var fields: [TraceField]
    /// The rule of CTAP2's canonical CBOR that it breaks.
    package var problem: String?

    package init(length: Int, raw: [UInt8]? = nil, fields: [TraceField] = [], problem: String? = nil) {
        self.length = length
        self.raw = raw
        self.fields = fields
        self.problem = problem
    }

    /// Whether something in it is secret, or may be.
    package var holdsSecrets: Bool { fields.contains(where: \.holdsSecrets) }

    /// The same without the values of secrets, and without the bytes they could be read from.
    package var masked: TraceMessage {
        guard holdsSecrets else { return self }
        return TraceMessage(length: length, fields: fields.map(\.masked), problem: problem)
    }
}
