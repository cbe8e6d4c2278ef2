internal import Documents
internal import LoopbackHTTP

extension Schema {
    /// An object of a form that is described elsewhere.
    static let anyObject = Schema.object(Members(members: [], isOpen: true))
    /// A PIN as a user may type it, valid or not.
    static let pin = Schema.string(0...100)
    static let counter = Schema.integer(0...Int(UInt32.max))

    /// Checks a request's value; throws `json.invalidMember` with the path of the first invalid member.
    func check(_ value: JSONValue, at path: String = "") throws(APIError) {
        do {
            try validate(value, at: path)
        } catch {
            throw .jsonInvalidMember(error.path, error.problem)
        }
    }
}
