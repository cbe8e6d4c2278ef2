internal import Wording

/// A selection of passkeys to export, and its terms.
package struct PasskeyExportRequest: Hashable, Sendable {
    package var filter = PasskeyFilter()
    /// Whether passkeys that count signatures are exported too, which the format forbids (§3.3.12).
    package var includesCounting = false

    package init() {}
}

/// The terms of an import.
package struct PasskeyImportRequest: Hashable, Sendable {
    /// A passkey that the device has already.
    package enum Existing: String, Sendable, CaseIterable {
        /// It stays as it is.
        case keep
        /// The document's takes its place.
        case overwrite
    }

    /// A passkey with mistakes in the document.
    package enum Damaged: String, Sendable, CaseIterable {
        /// Nothing is imported.
        case refuse
        /// The others are imported.
        case skip
    }

    package var filter = PasskeyFilter()
    package var existing = Existing.keep
    package var damaged = Damaged.refuse

    package init() {}
}

/// The result of an export or an import.
package struct PasskeyTransferReport: Sendable {
    /// The passkeys that were exported or imported, in words.
    package internal(set) var moved: [String] = []
    /// The passkeys that were not, each with the reason.
    package internal(set) var leftOut: [String] = []
    /// Other things that the document has and the device does not take.
    package internal(set) var notes: [String] = []

    /// The report in one sentence.
    package var words: String {
        let count = Wording.counted(moved.count, "passkey")
        let list = moved.isEmpty ? "" : " (\(moved.joined(separator: ", ")))"
        return (["\(count)\(list)"] + leftOut.map { "left out: \($0)" } + notes).joined(separator: "; ")
    }

    static func name(_ account: String, _ relyingPartyID: String) -> String {
        (account.isEmpty ? "an account without a name" : account) + " at "
            + (relyingPartyID.isEmpty ? "an unknown site" : relyingPartyID)
    }
}
