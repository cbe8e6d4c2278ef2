internal import CTAP

extension InfoMember {
    /// What kind of value it has.
    enum Kind {
        /// Texts or numbers whose order says nothing.
        case set
        /// Texts, numbers or algorithms, most wanted first.
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
