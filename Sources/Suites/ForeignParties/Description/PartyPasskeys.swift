internal import Documents

/// How a description lists and deletes an account's passkeys.
package struct PartyPasskeys: Sendable {
    var list = PartyRequest()
    /// The JSON Pointer of the list in the answer; nil for the whole answer.
    var pointer: String?
    /// The JSON Pointer of a passkey's ID in an item of the list.
    var id = ""
    /// The request that deletes one; nil where there is none.
    package internal(set) var delete: PartyRequest?

    static let form = Form.mapping(
        DocumentSection<PartyPasskeys> {
            DocumentKey("list", \.list, PartyRequest.shape, "The request for the list.", .required)
            DocumentKey(
                "at", \.pointer, .pointer, "The JSON Pointer of the list in the answer; default: the whole answer.")
            DocumentKey("id", \.id, .pointer, "The JSON Pointer of a passkey's ID in its item.", .required)
            DocumentKey(
                "delete", \.delete, PartyRequest.shape,
                "The request that deletes the passkey {passkey}; default: there is none.")
        } check: { passkeys, fields in
            guard let delete = passkeys.delete, !delete.mentions(.passkey) else { return }
            throw (delete.source.map { $0.error("the request does not name the passkey; write {passkey}") })
                ?? fields.owner.error("delete does not name the passkey; write {passkey}")
        }, from: PartyPasskeys())

    var requests: [PartyRequest] { [list] + [delete].compactMap(\.self) }
}
