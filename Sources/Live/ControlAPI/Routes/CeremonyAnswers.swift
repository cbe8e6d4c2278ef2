internal import Documents
internal import LoopbackHTTP

/// The user's part of a ceremony at the client.
struct CeremonyAnswers: Sendable {
    let pins: [String]
    /// The place of the account that the user chooses; nil for the user's own acts.
    let account: Int?
    /// The passkey that the user has picked before the ceremony.
    let pickedCredentialID: [UInt8]?

    static let pinsName = "pins"

    static let members: [Schema.Member] = [
        .optional(
            pinsName, .array(.pin, count: 0...20),
            """
            The PINs the user enters, in order; afterwards the user cancels. One that the device does not ask for is \
            among the person's ignored acts.
            """
        ),
        .optional(
            "account", .integer(1...1000),
            """
            The place of the account the user chooses among several; default: that of the user's acts, and 1. A choice \
            that the device does not ask for is among the person's ignored acts.
            """
        ),
    ]

    /// The members of a request for a passkey.
    static let membersOfGet =
        members + [
            .optional(
                "credentialId", .credentialID,
                "The ID of the passkey that the user has picked, in place of `account`. Without it the device asks, and the user chooses."
            )
        ]

    /// - Throws: `base64url.malformed`, `member.idle`.
    init(_ body: JSONValue) throws(APIError) {
        guard body["account"] == nil || body["credentialId"] == nil else {
            throw .idleMember(
                "account", "has no effect beside “credentialId”, which names the passkey; leave one of them out")
        }
        pins = (body[Self.pinsName]?.array ?? []).compactMap(\.text)
        account = body["account"]?.integer.map { $0 - 1 }
        pickedCredentialID = try body["credentialId"].map { _ throws(APIError) in try body.bytes(of: "credentialId") }
    }

    /// The user's part in a body, as members of another one.
    static func members(of body: JSONValue) -> [String: JSONValue] {
        (body.object ?? [:]).filter { name, _ in members.contains { $0.name == name } }
    }
}
