internal import ControlAPI
internal import Documents
internal import HTTPTypes
internal import Hummingbird
internal import LoopbackHTTP

extension DriverSession {
    /// Performs a command about virtual authenticators; an added one answers pages from now on.
    func virtualAuthenticator(_ request: Request, _ path: String, body: [UInt8]) async throws -> Response {
        let control = pages.control
        let answer = try await control.send(request.method.rawValue, "/session/\(controlSession)\(path)", bytes: body)
        if answer.status == 200 {
            let parts = path.split(separator: "/")
            switch (request.method, parts.count) {
            case (.post, 2):
                let name = try JSONValue(parsing: answer.body)["value"]?.text ?? ""
                // Chromium's virtual authenticators pick a suggestion at once.
                await pages.add(PageDevice(name: name, picksSuggestions: true))
            case (.delete, 3): await pages.remove(String(parts[2]))
            default: await pages.offerSuggestions()
            }
        }
        return Driver.response(answer)
    }

    /// Performs an operation of the control API on the device that answers pages.
    func device(_ request: Request, _ path: String, body: [UInt8]) async throws -> Response {
        guard let device = await pages.device else {
            throw WebDriverError.invalidArgument.because(
                "The session has no device; name one with the capability “\(NewSession.deviceCapability)”.")
        }
        let answer = try await pages.control.send(
            request.method.rawValue, "/v1/devices/\(device.name)\(path)", bytes: body)
        let json = answer.body.isEmpty ? .null : try JSONValue(parsing: answer.body)
        if let error = json["error"], answer.status >= 400 {
            throw APIError(
                answer.status, APIError.Code(rawValue: error["code"]?.text ?? ""), error["message"]?.text ?? "")
        }
        return try Reply.json(["value": json])
    }

    /// The user picks a suggested passkey; the answer names the error that the page does not learn of.
    func pick(body: [UInt8]) async throws -> Response {
        let answers: JSONValue = body.isEmpty ? [:] : try JSONBody.decode(JSONValue.self, from: body)
        try SessionForms.checkPick(answers)
        let failure = try await pages.pick(answers.object ?? [:])
        return try Reply.json(["value": failure.map { ["error": $0] } ?? [:]] as JSONValue)
    }
}
