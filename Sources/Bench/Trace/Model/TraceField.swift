/// One value inside a message, with the name the specification gives it.
///
/// A byte string that holds a structure, such as authenticator data, has its parts as ``items``.
package struct TraceField: Hashable, Sendable {
    /// What kind of CBOR item it is.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case integer, bytes, text, bool, null, undefined, simple, float, tag, array, map
    }

    /// Why a value is not shown unless asked for.
    package enum Secrecy: String, Hashable, Sendable, CaseIterable {
        /// The specification puts a secret there.
        case declared
        /// Nobody knows what it is: an unknown member, or bytes that could not be read.
        case possible
    }

    /// The map key, where it is not a text: an integer in decimal; nil for items of arrays and parts of byte strings.
    package var key: String?
    /// The specification's name, or the key when that is a text.
    package var name: String?
    /// What kind of item it is.
    package var type: Kind
    /// The value: bytes in hexadecimal, text as it is, everything else in CBOR diagnostic notation; nil when it is
    /// masked, and for arrays and maps.
    package var value: String?
    /// The value in words, such as `ES256` for -7.
    package var meaning: String?
    /// Whether it is secret, and how that is known.
    package var secret: Secrecy?
    /// Bytes in a byte string or text; of a secret of another kind, bytes of its encoding.
    package var length: Int?
    /// What could not be read in it.
    package var problem: String?
    /// What it is made of.
    package var items: [TraceField]

    package init(
        key: String? = nil, name: String? = nil, type: Kind, value: String? = nil, meaning: String? = nil,
        secret: Secrecy? = nil, length: Int? = nil, problem: String? = nil, items: [TraceField] = []
    ) {
        self.key = key
        self.name = name
        self.type = type
        self.value = value
        self.meaning = meaning
        self.secret = secret
        self.length = length
        self.problem = problem
        self.items = items
    }

    /// Whether it is secret or holds something that is.
    package var holdsSecrets: Bool {
        secret != nil || items.contains(where: \.holdsSecrets)
    }

    /// The same without the values of secrets: their length is what stays.
    package var masked: TraceField {
        guard holdsSecrets else { return self }
        var field = self
        // A byte string that contains a secret would give it away as a whole.
        field.value = nil
        field.meaning = secret == nil ? meaning : nil
        field.items = secret == nil ? items.map(\.masked) : []
        return field
    }

    /// The first field of a name, at the top or below it.
    package func first(_ name: String) -> TraceField? {
        if self.name == name { return self }
        return items.lazy.compactMap { $0.first(name) }.first
    }
}
