package import Documents

/// A document as it was read: its whole passkeys, and the parts that are not imported.
package struct ExchangeReading: Sendable {
    /// The document with its whole passkeys.
    package internal(set) var document: ExchangeDocument
    /// The passkeys with mistakes, in the document's order.
    package internal(set) var damaged: [DamagedPasskey] = []
    /// The numbers of credentials that are not passkeys, by type.
    package internal(set) var others: [String: Int] = [:]
    /// A sentence's end for each member of a passkey that the format lets an importer ignore, with its path.
    package internal(set) var ignored: [String] = []
}

extension ExchangeReading {
    /// Reads a document.
    ///
    /// Unknown members and credentials of other types are ignored (§3.1.1, §3.3), and a passkey with mistakes is in
    /// ``damaged``.
    ///
    /// - Parameters:
    ///   - bytes: JSON in UTF-8.
    ///   - file: the file's name, for errors.
    /// - Throws: all mistakes outside passkeys, each with its line, its path and a remedy.
    package init(parsing bytes: [UInt8], file: String) throws(SourceError) {
        self = try ExchangeReader.read(bytes, file: file)
    }
}

/// A passkey with mistakes, which cannot be imported.
package struct DamagedPasskey: Sendable {
    /// The relying party, where it can be read.
    package let relyingPartyID: String?
    /// The account's name, where it can be read.
    package let username: String?
    /// The mistakes, each with its line, its path and a remedy.
    package let mistake: SourceError
}
