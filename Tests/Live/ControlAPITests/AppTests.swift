import Documents
import Providers
import RelyingPartyServer
import TestSupport
import Testing

@testable import ControlAPI

/// The reference app on devices of the control API, against a relying party in this process.
@Suite(.timeLimit(.minutes(30))) struct AppTests {
    private static let devices = "/v1/devices/phone"

    /// Runs a control server beside a relying party with the app's services.
    static func run(_ use: (Control, Int) async throws -> Void) async throws {
        let services = LoopbackServices()
        var configuration = RelyingPartyConfiguration()
        configuration.port = 0
        configuration.services = [services]
        let server = try await RelyingPartyServer.start(configuration)
        do {
            try await Control.run {
                $0.serverPort = server.port
                $0.services = services
            } _: {
                try await use($0, server.port)
            }
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    private static func tap(_ control: Control, _ buttons: String...) async throws -> AppReport {
        for button in buttons.dropLast() { try await control.post("\(devices)/app/tap", ["button": .text(button)]) }
        return try await control.post("\(devices)/app/tap", ["button": .text(buttons.last ?? "")]).decode()
    }

    private static func kill(_ control: Control) async throws {
        let outcome = try await control.post("\(devices)/acts", ["verb": "app", "arguments": ["act": "kill"]])
        #expect(outcome.json["done"] == true)
    }

    @Test("The user logs in at a provider, enables the sensor, and opens the app with it after a restart")
    func userLogsIn() async throws {
        try await Self.run { control, _ in
            try await control.device("pixel-fingerprint")
            let installed: AppReport = try await control.send("PUT", "\(Self.devices)/app", [:]).decode()
            #expect(!installed.isRunning && installed.screen == nil && installed.buttons.isEmpty)
            #expect(try await control.get("/v1/devices").json.array?.first?["hasApp"] == true)
            let opened: AppReport = try await control.post("\(Self.devices)/app/open", [:]).decode()
            #expect(opened.screen == "provider-selection" && opened.isOnScreen)
            #expect(opened.buttons.contains("Log in with BankID"))
            let offered = try await Self.tap(control, "Log in with BankID", "Approve")
            #expect(offered.screen == "enrolment-prompt" && offered.user != nil)
            #expect(try await Self.tap(control, "Enable").screen == "peer-mentor-home")
            try await Self.kill(control)
            #expect(try await control.get("\(Self.devices)/app").decode(AppReport.self).isRunning == false)
            let again: AppReport = try await control.post("\(Self.devices)/app/open", [:]).decode()
            #expect(again.screen == "peer-mentor-home")
        }
    }

    @Test("The app withdraws its prompt after three failed attempts, and offers another way")
    func appCountsFailures() async throws {
        try await Self.run { control, port in
            try await control.device("pixel-fingerprint")
            try await control.send("PUT", "\(Self.devices)/app", ["serverPort": .number(Double(port))])
            try await control.post("\(Self.devices)/app/open", [:])
            _ = try await Self.tap(control, "Log in with Vipps", "Approve", "Enable")
            try await Self.kill(control)
            try await control.post("\(Self.devices)/person/acts", ["acts": ["no-match x 5"]])
            let locked: AppReport = try await control.post("\(Self.devices)/app/open", [:]).decode()
            #expect(locked.screen == "provider-selection")
            #expect(locked.message?.contains("did not recognise you") == true)
            let planned = try await control.get("\(Self.devices)/person/acts").json["planned"]?.array
            #expect(planned?.count == 2)
        }
    }

    @Test("The user fills in fields; a field or button that is not on the screen is refused")
    func fieldsAreFilledIn() async throws {
        try await Self.run { control, _ in
            try await control.device("iphone-face-id")
            try await control.send("PUT", "\(Self.devices)/app", ["style": "boolean-gate"])
            try await control.post("\(Self.devices)/app/open", [:])
            let form = try await Self.tap(control, "Log in with e-mail and password")
            #expect(form.fields == ["E-mail", "Password"])
            try await control.post("\(Self.devices)/app/enter", ["field": "E-mail", "text": "kari@example.org"])
            try await control.post("\(Self.devices)/app/enter", ["field": "Password", "text": "wrong"])
            #expect(try await Self.tap(control, "Log in").message?.contains("is not right") == true)
            let missing = try await control.post("\(Self.devices)/app/tap", ["button": "Approve"])
            #expect(missing.status == 409 && missing.code == "app.buttonMissing")
            let field = try await control.post("\(Self.devices)/app/enter", ["field": "Code", "text": "1"])
            #expect(field.status == 409 && field.code == "app.fieldMissing")
            let link = try await control.post("\(Self.devices)/app/open", ["again": true])
            #expect(link.status == 409 && link.code == "app.noLink")
        }
    }

    @Test("A security key takes no app, and a device without the app says how to install it")
    func appIsMissing() async throws {
        try await Control.run { control in
            try await control.device("security-key-pin", "key")
            try await control.device("iphone-face-id")
            let none = try await control.get("\(Self.devices)/app")
            #expect(none.status == 409 && none.code == "app.notInstalled")
            let server = try await control.send("PUT", "\(Self.devices)/app", [:])
            #expect(server.status == 409 && server.code == "app.serverUnknown")
            let key = try await control.send("PUT", "/v1/devices/key/app", ["serverPort": 4000])
            #expect(key.status == 409 && key.code == "app.noScreen")
            try await control.send("PUT", "\(Self.devices)/app", ["serverPort": 4000])
            #expect(try await control.send("DELETE", "\(Self.devices)/app").status == 204)
            #expect(try await control.get("/v1/devices").json.array?.first?["hasApp"] == false)
        }
    }
}
