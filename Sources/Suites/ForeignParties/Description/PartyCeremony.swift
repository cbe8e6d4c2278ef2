internal import Documents

/// A ceremony of a description: the requests that begin and complete it, and the place of the options.
package struct PartyCeremony: Sendable {
    package internal(set) var begin = PartyRequest()
    package internal(set) var complete = PartyRequest()
    /// The JSON Pointer of the options in the answer; nil for the whole answer.
    var options: String?
    /// The ID of the element of a page whose text is the JSON with the options; nil for a JSON answer.
    var element: String?

    /// The members that the page changes in the options, by JSON Pointer.
    var changes: [String: JSONValue] = [:]

    static let form = Form.mapping(
        DocumentSection<PartyCeremony> {
            DocumentKey("begin", \.begin, PartyRequest.shape, "The request for the options.", .required)
            DocumentKey(
                "options", \.options, .pointer,
                "The JSON Pointer of the options in the answer, such as /publicKey; default: the whole answer.")
            DocumentKey(
                "element", \.element, .line,
                "The ID of the element whose text has the options as JSON, where the answer is a page.")
            DocumentKey(
                "change", \.changes, .members, "The members that the page changes in the options, by JSON Pointer.")
            DocumentKey("complete", \.complete, PartyRequest.shape, "The request with the response.", .required)
        } check: { ceremony, fields in
            try fields.needContent("change")
            for mention in ceremony.begin.mentions {
                guard PartyPlaceholder(rawValue: mention.name)?.place == .complete else { continue }
                throw mention.source.error(
                    "{\(mention.name)} is known once the client has responded; write it under complete")
            }
            let sent = [PartyPlaceholder.credential, .credentialText].contains { ceremony.complete.mentions($0) }
            if !sent, let complete = fields["complete"] {
                throw complete.error(
                    "the request does not send the response; write {credential}, or {credential-text} for JSON in a text"
                )
            }
        }, from: PartyCeremony())

    var requests: [PartyRequest] { [begin, complete] }
}
