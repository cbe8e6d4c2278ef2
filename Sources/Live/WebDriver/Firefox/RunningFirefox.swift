internal import ControlAPI
internal import Documents
internal import HTTPTypes
internal import Hummingbird
internal import LoopbackHTTP

/// A Firefox that this server has started, and its connection for the commands of classic WebDriver.
struct RunningFirefox: Sendable {
    private let browser: StartedBrowser
    private let marionette: Marionette
    /// The session's ID and capabilities; among these the address of its WebDriver BiDi.
    let session: JSONValue

    /// Starts Firefox, and opens its session.
    static func start(_ options: FirefoxOptions, _ capabilities: [String: JSONValue]) async throws -> RunningFirefox {
        let browser = try await StartedBrowser.firefox(options)
        do {
            let marionette = try await Marionette.connect(port: browser.port)
            let command = MarionetteCommand("NewSession", capabilities)
            do throws(Marionette.Refusal) {
                let session = try await marionette.perform(command)
                return RunningFirefox(browser: browser, marionette: marionette, session: session)
            } catch {
                marionette.close()
                throw BrowserConnectionError(description: error.message)
            }
        } catch {
            await browser.stop()
            throw error
        }
    }

    /// Performs a command of classic WebDriver; the path stands behind the session.
    func perform(_ request: Request, _ path: String, body: [UInt8]) async throws -> Response {
        let parameters = body.isEmpty ? [:] : try JSONBody.decode(JSONValue.self, from: body).object ?? [:]
        guard let command = MarionetteCommand(request.method, path, body: parameters) else {
            throw WebDriverError.unknownCommand.because("Firefox has no command \(request.method) \(path).")
        }
        do throws(Marionette.Refusal) {
            return try answer(try await marionette.perform(command), to: command)
        } catch {
            return try Reply.json(
                ["value": ["error": error.code, "message": error.message, "stacktrace": ""]],
                status: HTTPResponse.Status(code: error.status))
        }
    }

    private func answer(_ value: JSONValue, to command: MarionetteCommand) throws(Marionette.Refusal) -> Response {
        var value = value
        // Firefox lists all cookies; WebDriver's command names one.
        if command.name == "WebDriver:GetCookies", let name = command.parameters["name"] {
            guard let cookie = value.array?.first(where: { $0["name"] == name }) else {
                throw Marionette.Refusal(
                    code: "no such cookie", message: "The page has no cookie “\(name.text ?? "")”.")
            }
            value = cookie
        }
        do {
            return try Reply.json(["value": value] as JSONValue)
        } catch {
            throw Marionette.Refusal(code: WebDriverError.unknownError.rawValue, message: "\(error)")
        }
    }

    func stop() async {
        marionette.close()
        await browser.stop()
    }
}
