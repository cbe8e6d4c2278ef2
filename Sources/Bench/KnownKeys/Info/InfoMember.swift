internal import CTAP

extension InfoMember {
    /// The kind of a member's value.
    enum Kind {
        /// Texts or numbers in any order.
        case set
        /// Texts, numbers or algorithms, most preferred first.
        case preference
        case number
        case flag
        case bytes
        /// Text as a byte string.
        case address
        case options
        case levels
    }

    var kind: Kind {
        switch type {
        case .texts, .unsigneds, .algorithms: isPreference ? .preference : .set
        case .aaguid, .bytes: .bytes
        case .textInBytes: .address
        case .options: .options
        case .levels: .levels
        case .bool: .flag
        case .unsigned: .number
        }
    }
}
