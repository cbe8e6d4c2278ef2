internal import Documents

/// The place of the signed-in user's name, in a description.
package struct PartyIdentity: Sendable {
    /// The request whose answer has it; nil for the answer that completes a sign-in.
    var request: PartyRequest?
    /// The JSON Pointer of the account's name.
    var pointer = ""

    static let form = Form.mapping(
        DocumentSection<PartyIdentity> {
            DocumentKey(
                "request", \.request, PartyRequest.shape,
                "The request whose answer has it; default: the one that completes a sign-in.")
            DocumentKey("at", \.pointer, .pointer, "The JSON Pointer of the account's name.", .required)
        }, from: PartyIdentity())
}
