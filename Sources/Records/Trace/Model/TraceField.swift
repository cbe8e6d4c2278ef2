/// One value in a message; a byte string with a structure, such as authenticator data, has its parts as ``items``.
package struct TraceField: Hashable, Sendable {
    /// The type of a CBOR item.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case integer, bytes, text, bool, null, undefined, simple, float, tag, array, map
    }

    /// The reason a value is masked by default.
    package enum Secrecy: String, Hashable, Sendable, CaseIterable {
        /// The specification defines a secret at this place.
        case declared
        /// The meaning is unknown: an unknown member, or bytes that could not be decoded.
        case possible
    }

    /// The map key, when it is not a text: an integer in decimal; nil for items of arrays and parts of byte strings.
    package var key: String?
    /// The specification's name, or the key when it is a text.
    package var name: String?
    package var type: Kind
    /// Bytes in hexadecimal, text verbatim, others in CBOR diagnostic notation; nil when masked, or an array or map.
    package var value: String?
    /// The value in words, such as `ES256` for -7.
    package var meaning: String?
    /// The reason the value is secret; nil for a public one.
    package var secret: Secrecy?
    /// The length in bytes of a byte string or text; for a secret of another type, that of its encoding.
    package var length: Int?
    /// The reason that its bytes could not be decoded.
    package var problem: String?
    package var items: [TraceField] = []

    package var holdsSecrets: Bool { secret != nil || items.contains(where: \.holdsSecrets) }

    /// A copy without the values of secrets, which keeps their lengths.
    package var masked: TraceField {
        guard holdsSecrets else { return self }
        var field = self
        // The value of a byte string that contains a secret contains the secret too.
        field.value = nil
        field.meaning = secret == nil ? meaning : nil
        field.items = secret == nil ? items.map(\.masked) : []
        return field
    }

    /// A copy in which bytes and texts of unknown meaning are public, for bytes that their owner gives.
    package var withoutDoubt: TraceField {
        var field = self
        if secret == .possible { field.secret = nil }
        field.items = items.map(\.withoutDoubt)
        return field
    }

    /// The first field with a name, this one or one below it.
    package func first(_ name: String) -> TraceField? {
        if self.name == name { return self }
        return items.lazy.compactMap { $0.first(name) }.first
    }
}
