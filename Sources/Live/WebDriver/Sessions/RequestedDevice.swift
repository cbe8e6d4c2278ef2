internal import ControlAPI
internal import Documents
internal import LoopbackHTTP

/// The value of `touchstone:device`: a profile's name, or the body of `POST /v1/devices` with the user's settings for pages.
struct RequestedDevice: Sendable {
    /// The body of `POST /v1/devices`.
    let order: JSONValue
    private let answers: [String: JSONValue]
    private let picksSuggestions: Bool

    /// The members of a ceremony's body that are the user's part.
    private static let answerMembers = ["pins", "account"]
    private static let autofill = "autofill"

    /// - Throws: `invalid argument`.
    init(_ value: JSONValue) throws(APIError) {
        guard var members = value.object ?? value.text.map({ ["profile": .text($0)] }) else {
            throw Self.invalid("must be a profile's name or an object")
        }
        var answers: [String: JSONValue] = [:]
        for name in Self.answerMembers { answers[name] = members.removeValue(forKey: name) }
        self.answers = answers
        let autofill = members.removeValue(forKey: Self.autofill) ?? false
        guard let picks = autofill.bool else { throw Self.invalid("has an autofill that is not true or false") }
        picksSuggestions = picks
        order = .object(members)
    }

    static func invalid(_ problem: String) -> APIError {
        WebDriverError.invalidArgument.because("“\(NewSession.deviceCapability)” \(problem).")
    }

    func device(named name: String) -> PageDevice {
        PageDevice(name: name, answers: answers, picksSuggestions: picksSuggestions)
    }
}
