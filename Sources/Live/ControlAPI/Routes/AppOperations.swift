internal import AppHost
internal import DeviceHost
internal import Documents
internal import HTTPTypes
internal import LoopbackHTTP
internal import ReferenceApp
internal import SimulatedDevice

extension ControlOperations {
    var apps: [Operation] {
        [
            onDevice(
                .put, "/app", "installApp", "Install the reference app on a device, or replace it", .apps,
                body: Self.appSchema, answer: .app, errors: [409]
            ) { device, call in
                guard let port = call.body["serverPort"]?.integer ?? configuration.serverPort else {
                    throw APIError.appServerUnknown
                }
                try device.app.install(Self.settings(call.body, device.app.sensor), port: port)
                return try Self.report(device)
            },
            onDevice(
                .get, "/app", "readApp", "Read the screen of the reference app", .apps, answer: .app, errors: [409]
            ) { device, _ in try Self.report(device) },
            operation(
                .delete, "/v1/devices/{device}/app", "removeApp", "Remove the reference app from a device", .apps,
                done: "The app is removed"
            ) { call in try await device(call).app.remove() },
            acting(
                "open", "openApp", "The user opens the app, or a link of a provider opens it",
                .object(
                    .optional(
                        "again", .boolean, "Whether the system opens the app with the last link once more; default: no."
                    ))
            ) { app, body in
                guard body["again"]?.bool == true else { return try await app.open() }
                guard let link = app.lastLink else { throw APIError.appHasNoLink }
                try await app.open(link: link)
            },
            acting(
                "tap", "tapButton", "The user taps a button of the app's screen",
                .object(
                    .required("button", .choice(AppButton.allCases.map(\.rawValue)), "The button's title."),
                    .optional(
                        "row", .string(1...200),
                        "The row of a list with the button: its title, or its number from 1; default: the only row."))
            ) { app, body in
                let title = body["button"]?.text ?? ""
                guard let button = AppButton(rawValue: title) else { throw APIError.appButtonMissing(title) }
                switch try await app.tap(button, row: body["row"]?.text) {
                case .done: break
                case .missing: throw APIError.appButtonMissing(title)
                case .locked: throw APIError.appScreenLocked
                case .offline: throw APIError.appOffline(title)
                }
            },
            acting(
                "enter", "enterText", "The user fills in a field of the app's screen",
                .object(
                    .required("field", .choice(AppField.allCases.map(\.rawValue)), "The field's label."),
                    .required("text", .string(0...200), "The text that the field then has."))
            ) { app, body in
                let label = body["field"]?.text ?? ""
                guard let field = AppField(rawValue: label), await app.enter(field, body["text"]?.text ?? "") else {
                    throw APIError.appFieldMissing(label)
                }
            },
            acting(
                "switch", "switchApp", "The user switches to another app, such as a provider's",
                .object(
                    .required(
                        "app", DeviceName.schema,
                        "The app's name; in bankid and vipps, the buttons Approve and Decline decide a login."))
            ) { app, body in try await app.switchTo(body["app"]?.text ?? "") },
        ]
    }

    /// An act of the user on the app, which may end in a prompt.
    private func acting(
        _ path: String, _ name: String, _ summary: String, _ body: Schema,
        _ perform: @escaping @Sendable (AppHost, JSONValue) async throws -> Void
    ) -> Operation {
        onDevice(
            .post, "/app/\(path)", name, summary, .apps, body: body, answer: .app, errors: [409], mayWaitForUser: true
        ) { device, call in
            // An app that is removed during the act has an answer for it all the same.
            let app = try device.app.app()
            do {
                try await perform(app, call.body)
            } catch let refusal as DeviceRefusal {
                throw APIError(409, "app.refused", because: refusal)
            }
            return AppReport(app, on: device.host.device)
        }
    }

    private static let appSchema = Schema.object(
        .optional(
            "serverPort", .integer(1...65_535),
            "The port of the `touchstone serve` that the app uses; default: the relying party in this process."),
        .optional(
            "style", .choice(AppSettings.Style.allCases.map(\.rawValue)),
            "The way the app protects a session with the sensor; default: bound-key."),
        .optional(
            "policy", .choice(AppSettings.Policy.allCases.map(\.rawValue)),
            "The organisation's policy about biometric login; default: optional."))

    private static func settings(_ body: JSONValue, _ sensor: SensorName) -> AppSettings {
        var settings = AppSettings()
        settings.sensor = sensor
        settings.style = (body["style"]?.text).flatMap(AppSettings.Style.init) ?? settings.style
        settings.policy = (body["policy"]?.text).flatMap(AppSettings.Policy.init) ?? settings.policy
        return settings
    }

    private static func report(_ device: ManagedDevice) throws -> AppReport {
        AppReport(try device.app.app(), on: device.host.device)
    }
}

extension TypedAnswer<AppReport> {
    fileprivate static var app: Self { Self("The app as the user sees it", named: "App") }
}

extension APIError {
    fileprivate static let appServerUnknown = APIError(
        409, "app.serverUnknown",
        "No relying party runs in this process; give serverPort, the port of a `touchstone serve`.")

    fileprivate static let appHasNoLink = APIError(
        409, "app.noLink", "No provider has opened the app with a link yet; log in at a provider first.")

    fileprivate static let appScreenLocked = APIError(
        409, "app.screenLocked", "The screen of the device is locked; unlock it first.")

    fileprivate static func appOffline(_ title: String) -> APIError {
        APIError(
            409, "app.offline",
            "The device is offline, so “\(title)” does not reach the provider; end airplane mode first.")
    }

    fileprivate static func appButtonMissing(_ title: String) -> APIError {
        APIError(
            409, "app.buttonMissing",
            "The button “\(title)” is not on the screen or not in that row; GET …/app lists buttons and rows. In a list of several rows, send row."
        )
    }

    fileprivate static func appFieldMissing(_ label: String) -> APIError {
        APIError(409, "app.fieldMissing", "The field “\(label)” is not on the screen; GET …/app lists its fields.")
    }
}
