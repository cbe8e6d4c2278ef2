internal import AppHost
internal import ReferenceApp
internal import SimulatedDevice

/// The reference app as the user sees it.
struct AppReport: Codable, Sendable {
    let isRunning: Bool
    /// Whether the app, or the provider's app that it opened, is on the screen.
    let isOnScreen: Bool
    /// The screen's name; nil while the app does not run.
    let screen: String?
    /// The message on the screen; nil for none.
    let message: String?
    /// The labels of the screen's fields.
    let fields: [String]
    /// The screen's buttons, the most prominent first.
    let buttons: [String]
    /// The rows of the screen's list.
    let rows: [Row]
    /// The protected data on the screen.
    let revealed: [String]
    /// The user who is logged in; nil for none.
    let user: String?
    /// The provider whose own app is on the screen; nil for none.
    let provider: String?

    /// A row; its buttons are tapped with the row's title or number.
    struct Row: Codable, Sendable {
        let title: String
        let details: String
        let buttons: [String]
    }

    init(_ host: AppHost, on device: SimulatedDevice) {
        let app = host.app
        let foreground = device.lifeState.foregroundApp
        let providerApp = host.providerApp
        let isInFront = foreground == SecretID.defaultApp
        isRunning = app != nil
        isOnScreen = isInFront || providerApp != nil
        screen = app?.screen.rawValue
        message = app?.message?.text(host.sensor)
        let inputs = isInFront ? app?.inputs ?? [] : []
        fields = inputs.map(\.rawValue)
        let ofRows = Set(app?.rows.flatMap(\.buttons) ?? [])
        let offers: [AppButton] = isInFront ? (app?.offers ?? []).filter { !ofRows.contains($0) } : []
        buttons = (providerApp == nil ? offers : [.approve, .decline]).map(\.rawValue)
        rows = (isInFront ? app?.rows ?? [] : []).map {
            Row(title: $0.title, details: $0.details, buttons: $0.buttons.map(\.rawValue))
        }
        revealed = app?.revealed ?? []
        user = app?.preferences.user?.name
        provider = providerApp?.rawValue
    }
}
