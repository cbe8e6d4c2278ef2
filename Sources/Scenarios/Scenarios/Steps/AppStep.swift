internal import AppHost
internal import Documents
package import ReferenceApp
internal import SimulatedDevice
internal import Wording

/// An act of the user in the reference app on a device.
package enum AppStep: Hashable, Sendable {
    /// Opens the app, or returns to it.
    case open
    /// The last link to the app opens it once more.
    case openLink
    /// A row is named by its title, or by its number from 1.
    case tap(AppButton, row: String?)
    case enter(AppField, text: String)
    /// Types a code from the mailbox of an address: the newest, or an older one.
    case enterCode(of: String, number: Int)
    /// Switches to another app; the reference app leaves the screen.
    case switchTo(String)
}

extension AppStep: StepKind {
    static let place = StepPlace.device
    var action: ScenarioStep.Action { .app(self) }

    static let verbs: [StepVerb] = ListBuilder<StepVerb>.list {
        verb(
            "open",
            .optional("link", Form<Link>.choice, "A link that opens the app; default: the user opens it.")
        ) { $0 == nil ? .open : .openLink }
        verb(
            "tap", .required("button", .title, "The button's title."),
            .optional(
                "row", .scalar,
                "The row of a list with the button: its title, or its number from 1; default: the only row.")
        ) { .tap($0, row: $1) }
        verb(
            "enter", .required("field", .title, "The field's label."), .required("text", .scalar, "The text.")
        ) { .enter($0, text: $1) }
        verb(
            "enter-code", .required("address", .scalar, "The address whose mailbox has the code."),
            .optional("number", .number(1...100), "Its place in the mailbox, from the newest; default: 1.")
        ) { .enterCode(of: $0, number: $1 ?? 1) }
        verb(
            "switch-to",
            .required(
                "app", otherApp, "The other app; bankid and vipps are the providers' apps, which confirm a login.")
        ) { .switchTo($0) }
    }

    /// The name of another app; one that is nearly a provider's is a mistake, for it would be just another app.
    private static let otherApp = Form(Form.text.schema, words: "the name of an app") { value in
        let name = try value.string()
        let providers = Provider.allCases.map(\.rawValue)
        let question = providers.contains(name) ? "" : NearestNames.question(name, among: providers)
        guard question.isEmpty else { throw value.error("no provider has an app \"\(name)\"" + question) }
        return name
    }

    private enum Link: String, CaseIterable, Sendable {
        /// The last one, which the system delivers twice.
        case again
    }

    fileprivate var isTap: Bool {
        switch self {
        case .tap, .enter, .enterCode: true
        case .open, .openLink, .switchTo: false
        }
    }

    var title: String {
        switch self {
        case .open: "opens the app"
        case .openLink: "the last link opens the app once more"
        case .tap(let button, nil): "taps “\(button.rawValue)”"
        case .tap(let button, let row?): "taps “\(button.rawValue)” of “\(row)”"
        case .enter(let field, _): "fills in “\(field.rawValue)”"
        case .enterCode(let address, 1): "types the newest code sent to \(address)"
        case .enterCode(let address, let number): "types code \(number), from the newest, sent to \(address)"
        case .switchTo(let app): "switches to \(app)"
        }
    }

    func perform(in host: AppHost) async throws -> StepResult {
        switch self {
        case .open:
            guard !host.isOnScreen(SecretID.defaultApp) || host.app == nil else {
                return StepResult(idleness: "the app is already on the screen")
            }
            return await .of { try await host.open() }
        case .openLink:
            guard let link = host.lastLink else { throw PlaybackError("no link has come to the app yet") }
            return await .of { try await host.open(link: link) }
        case .switchTo(let app):
            guard !host.isOnScreen(app) else {
                return StepResult(idleness: "\(app) is already on the screen")
            }
            return await .of { try await host.switchTo(app) }
        case .tap(let button, let row):
            switch try await host.tap(button, row: row) {
            case .done: break
            case .missing: throw PlaybackError(host.tapProblem(button, row))
            case .locked: throw PlaybackError("the screen is locked; unlock it first")
            case .offline:
                return StepResult(idleness: "the device is offline, so the decision does not reach the provider")
            }
        case .enterCode(let address, let number):
            let codes = await host.codes(sentTo: address)
            guard codes.count >= number else {
                throw PlaybackError(
                    "the mailbox of \(address) has \(Wording.counted(codes.count, "code")); "
                        + "let the app send another one, or name another address")
            }
            try await type(codes[codes.count - number], into: .code, of: host)
        case .enter(let field, let text): try await type(text, into: field, of: host)
        }
        return StepResult()
    }

    private func type(_ text: String, into field: AppField, of host: AppHost) async throws {
        guard await host.enter(field, text) else {
            throw PlaybackError(
                "“\(field.rawValue)” is not on the screen; "
                    + host.screenWords(\.inputs, "it has the fields", none: "it has no fields"))
        }
    }
}

extension AppHost {
    /// The reason why a button, or a row's button, cannot be tapped, and the remedy.
    fileprivate func tapProblem(_ button: AppButton, _ row: String?) -> String {
        let titles = (app?.rows ?? []).filter { $0.buttons.contains(button) }.map { "“\($0.title)”" }
        if row == nil, titles.count > 1 {
            return "\(titles.count) rows have “\(button.rawValue)”; add row: with a title or a number from 1: "
                + titles.joined(separator: ", ")
        }
        if let provider = providerApp, app?.offers.contains(button) == true {
            return
                "“\(button.rawValue)” is not in the app of \(provider.name), which is on the screen; go to the app that "
                + "offers it with switch-to"
        }
        return "“\(button.rawValue)” is not \(row.map { "in the row “\($0)”" } ?? "on the screen"); "
            + screenWords(\.offers, "it offers", none: "it offers no button")
    }

    fileprivate func screenWords<Item: RawRepresentable<String>>(
        _ items: KeyPath<ReferenceApp, [Item]>, _ verb: String, none: String
    ) -> String {
        guard let app else { return "the app does not run; begin with open" }
        let names = app[keyPath: items].map { "“\($0.rawValue)”" }
        return "the screen is \(app.screen.rawValue), "
            + (names.isEmpty ? none : "\(verb) \(names.joined(separator: ", "))")
    }
}

extension Form where Value: RawRepresentable<String> & CaseIterable & Sendable {
    /// A title or label as it stands on the screen.
    fileprivate static var title: Form { .named(Value.allCases.map { ($0.rawValue, $0) }) }
}

extension ScenarioStep {
    /// The buttons and fields of the reference app that the user uses; nil for a step elsewhere.
    var taps: Int? { if case .app(let step) = action { step.isTap ? 1 : 0 } else { nil } }
}
