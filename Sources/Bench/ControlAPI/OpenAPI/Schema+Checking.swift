internal import Documents
internal import LoopbackHTTP

extension Schema {
    /// Checks a request's value.
    ///
    /// - Throws: `json.invalidMember` with the path of the first invalid member.
    func check(_ value: JSONValue, at path: String = "") throws(APIError) {
        do {
            try validate(value, at: path)
        } catch {
            throw .jsonInvalidMember(error.path, error.problem)
        }
    }
}
