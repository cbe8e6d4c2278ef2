package import Documents

extension Capture {
    /// The form of a document with a response: its members, as ``init(parsing:_:)`` reads them.
    package static let form = Schema.object(
        .required("response", .any, "The credential, as PublicKeyCredential.toJSON() gives it."),
        .optional("options", .any, "The options as the relying party sent them."),
        .optional("challenge", .string(1...4096), "The challenge, in place of the options'."),
        .optional(
            "origin", .anyOf([.string(1...300), .array(.string(1...300), count: 1...20)]),
            "The origin of the page, or several that are accepted."),
        .optional(
            "rpId", .string(1...253), "The relying party ID; default: that of the options, or the origin's host."),
        .optional(
            "record", .any,
            "For an assertion: the stored `publicKey` (COSE or SPKI in base64url, or PEM) and `signCount`, or the record of an accepted registration."
        ))

    /// The names of the members.
    static let members: [String] = {
        guard case .object(let members) = form else { return [] }
        return members.members.map(\.name)
    }()
}
