internal import Documents

/// Reads a document from JSON.
package struct PasskeyDocumentReader {
    /// The longest document in bytes; a passkey takes about 700.
    package static let longestDocument = 8 << 20
    /// The length of an identifier in bytes (§1.3).
    private static let identifierLength = 1...64

    /// The byte order mark of UTF-8.
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private var mistakes: [SourceError] = []
    private var damaged: [DamagedPasskey] = []
    private var others: [String: Int] = [:]
    private var ignored: [String] = []
    /// The paths of the credential IDs, for one that stands twice.
    private var knownIDs: [[UInt8]: [ExchangeMember.Step]] = [:]

    static func read(_ bytes: [UInt8], file: String) throws(SourceError) -> ExchangeReading {
        guard bytes.count <= longestDocument else {
            throw SourceError(
                file: file, line: nil,
                message: "the document has more than \(longestDocument) bytes; export fewer passkeys at once")
        }
        // Some editors write a byte order mark, which a reader of JSON may ignore (RFC 8259 §8.1).
        let bytes = bytes.starts(with: byteOrderMark) ? Array(bytes.dropFirst(byteOrderMark.count)) : bytes
        if let mistake = JSONMistake(in: bytes, refusingRepeatedNames: true) {
            let member = mistake.member.isEmpty ? "" : "\(mistake.member): "
            throw SourceError(
                file: file, line: mistake.line, column: mistake.column,
                message: "not JSON: \(member)\(mistake.message)")
        }
        guard let value = try? JSONValue(parsing: bytes) else {
            throw SourceError(file: file, line: nil, message: "not JSON in UTF-8; export the document again")
        }
        var reader = PasskeyDocumentReader()
        let root = ExchangeMember(value: value, path: [], text: PasskeyDocumentText(bytes, file: file))
        return try reader.reading(of: root)
    }

    private mutating func reading(of root: ExchangeMember) throws(SourceError) -> ExchangeReading {
        try ForeignExport.check(root)
        // Another version may have other members: its mistake comes alone.
        let version = try Self.version(root)
        let exporter = attempt { () throws(SourceError) in try root.required("exporterRpId", Self.again).string() }
        let name = attempt { () throws(SourceError) in try root.required("exporterDisplayName", Self.again).string() }
        let time = attempt { () throws(SourceError) in
            try root.required("timestamp", "write seconds since 1970-01-01").time()
        }
        let accounts = list("accounts", of: root) { reader, member throws(SourceError) in try reader.account(member) }
        if let error = SourceError.joining(mistakes) { throw error }
        guard let exporter, let name, let time, let accounts else { throw root.error("the document cannot be read") }
        var reading = ExchangeReading(
            document: ExchangeDocument(
                version: version, exporterRelyingPartyID: exporter, exporterDisplayName: name, timestamp: time,
                accounts: accounts))
        (reading.damaged, reading.others, reading.ignored) = (damaged, others, ignored)
        return reading
    }

    private static let again = "export the document again"

    /// The version (§3.1.1): a member of one byte each.
    private static func version(_ root: ExchangeMember) throws(SourceError) -> ExchangeDocument.Version {
        let version = try root.required("version", "give a document of the Credential Exchange Format 1.0")
        guard version.value.object != nil else {
            throw version.error(
                "is \(version.value.noun), as in drafts before 1.0; export again with a newer version of the provider")
        }
        func part(_ name: String) throws(SourceError) -> Int {
            try version.required(name, "write { \"major\": 1, \"minor\": 0 }").number(0...255, "correct it")
        }
        let found = ExchangeDocument.Version(major: try part("major"), minor: try part("minor"))
        let known = ExchangeDocument.Version.current.major
        guard found.major == known else {
            throw version.error(
                "is \(found.major).\(found.minor), and only \(known).x is known; export the document in version \(known).0"
            )
        }
        return found
    }

    // MARK: Accounts and items

    private mutating func account(_ member: ExchangeMember) throws(SourceError) -> ExchangeAccount {
        try member.checkObject()
        let id = attempt { () throws(SourceError) in
            try member.required("id", Self.again).bytes(Self.identifierLength)
        }
        let username = attempt { () throws(SourceError) in
            try member.required("username", "write \"\" for none").string()
        }
        let email = attempt { () throws(SourceError) in try member.required("email", "write \"\" for none").string() }
        attempt { () throws(SourceError) in _ = try member.required("collections", "write [] for none").items() }
        let items = list("items", of: member) { reader, member throws(SourceError) in try reader.item(member) }
        return ExchangeAccount(id: id ?? [], username: username ?? "", email: email ?? "", items: items ?? [])
    }

    private mutating func item(_ member: ExchangeMember) throws(SourceError) -> ExchangeItem {
        try member.checkObject()
        let id = attempt { () throws(SourceError) in
            try member.required("id", Self.again).bytes(Self.identifierLength)
        }
        let title = attempt { () throws(SourceError) in try member.required("title", "write \"\" for none").string() }
        var item = ExchangeItem(id: id ?? [], title: title ?? "", passkeys: [])
        item.creationAt = attempt { () throws(SourceError) in try member["creationAt"]?.time() } ?? nil
        item.modifiedAt = attempt { () throws(SourceError) in try member["modifiedAt"]?.time() } ?? nil
        item.subtitle = attempt { () throws(SourceError) in try member["subtitle"]?.string() } ?? nil
        if let scope = member["scope"], attempt({ () throws(SourceError) in try scope.checkObject() }) != nil {
            item.scopeURLs =
                list("urls", of: scope) { _, member throws(SourceError) in try member.string() } ?? []
        }
        let credentials = list("credentials", of: member) { reader, member throws(SourceError) in
            try reader.credential(member)
        }
        item.passkeys = (credentials ?? []).compactMap(\.self)
        return item
    }

    /// A passkey; nil for a damaged one, and for a credential of another type.
    private mutating func credential(_ member: ExchangeMember) throws(SourceError) -> ExchangePasskey? {
        try member.checkObject()
        let type = try member.required("type", "name the credential's type, such as \"passkey\"").string()
        guard type == ExchangePasskey.type else {
            others[type, default: 0] += 1
            return nil
        }
        var reader = PasskeyReader(member)
        let passkey = reader.read(&knownIDs)
        ignored += reader.ignored
        if let mistake = SourceError.joining(reader.mistakes) {
            damaged.append(
                DamagedPasskey(
                    relyingPartyID: member["rpId"]?.value.text, username: member["username"]?.value.text,
                    mistake: mistake))
            return nil
        }
        return passkey
    }

    // MARK: Mistakes

    /// Reads a part; nil after a mistake.
    @discardableResult
    private mutating func attempt<Part>(_ read: () throws(SourceError) -> Part) -> Part? {
        do throws(SourceError) {
            return try read()
        } catch {
            mistakes.append(error)
            return nil
        }
    }

    /// Reads the items of a required array; nil after a mistake about the array itself.
    private mutating func list<Part>(
        _ name: String, of member: ExchangeMember,
        _ read: (inout PasskeyDocumentReader, ExchangeMember) throws(SourceError) -> Part
    ) -> [Part]? {
        guard
            let items = attempt({ () throws(SourceError) in
                try member.required(name, "write [] for none").items()
            })
        else { return nil }
        var parts: [Part] = []
        for item in items {
            do throws(SourceError) {
                parts.append(try read(&self, item))
            } catch {
                mistakes.append(error)
            }
        }
        return parts
    }
}
