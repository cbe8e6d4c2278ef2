internal import ControlAPI
internal import Documents
internal import LoopbackHTTP

/// The value of `touchstone:device`: a profile's name, or the body of `POST /v1/devices` with the user's settings for pages.
struct RequestedDevice: Sendable {
    /// The body of `POST /v1/devices`.
    let order: JSONValue
    private let answers: [String: JSONValue]
    /// Whether the user is to enter PINs, for which the device needs a client PIN.
    var hasPINs: Bool { answers[SessionForms.pinsName]?.array?.isEmpty == false }
    private let picksSuggestions: Bool

    /// - Throws: `invalid argument`.
    init(_ value: JSONValue) throws(APIError) {
        guard var members = value.object ?? value.text.map({ ["profile": .text($0)] }) else {
            throw Self.invalid("must be a profile's name or an object")
        }
        try SessionForms.checkDevice(.object(members))
        var answers: [String: JSONValue] = [:]
        for name in SessionForms.answerNames { answers[name] = members.removeValue(forKey: name) }
        self.answers = answers
        picksSuggestions = members.removeValue(forKey: SessionForms.autofillName)?.bool ?? false
        order = .object(members)
    }

    static func invalid(_ problem: String) -> APIError {
        WebDriverError.invalidArgument.because("“\(NewSession.deviceCapability)” \(problem).")
    }

    func device(named name: String) -> PageDevice {
        PageDevice(name: name, answers: answers, picksSuggestions: picksSuggestions)
    }
}
