internal import Documents

/// An account that the relying party has already, for a server that lets no client make one.
struct ExistingAccount: Sendable {
    var source: SourcePlace?
    var name = ""
    var displayName: String?
    var password: String?

    static let form = Form.mapping(
        DocumentSection<ExistingAccount> {
            DocumentKey("name", \.name, .line, "The account's name, which {account} stands for.", .required)
            DocumentKey("password", \.password, .line, "Its password, which {password} stands for.")
            DocumentKey("display-name", \.displayName, .line, "The name shown to the user; default: name.")
        } check: { account, fields in
            account.source = fields.owner.source
        }, from: ExistingAccount())
}
