internal import Documents

/// Other programs' exports, which users give in place of a document of the format.
enum ForeignExport {
    /// Refuses a value that is not a document's header, and names the program that it is from.
    static func check(_ root: ExchangeMember) throws(SourceError) {
        let remedy = "give a document of the Credential Exchange Format 1.0, which begins with version and accounts"
        guard let members = root.value.object else { throw root.error("the document is \(root.value.noun); \(remedy)") }
        guard members["version"] == nil || members["accounts"] == nil else { return }
        if members["encrypted"] != nil, members["items"] != nil {
            throw root.error("the document is an export in Bitwarden's own form; \(remedy)")
        }
        if members["relyingParty"] != nil, members["privateKey"] != nil {
            throw root.error("the document is a passkey in KeePassXC's own form; \(remedy)")
        }
        if members["items"] != nil, members["collections"] != nil {
            throw root.error("the document is one account without its header; \(remedy)")
        }
    }
}
