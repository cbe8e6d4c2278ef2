internal import SimulatedDevice

struct ChangeApp: ScreenAct, StateAct {
    static let form = Form(
        "app", "installs, opens, closes or removes an app",
        .required("act", \.act, "the change"),
        .optional("app", \.app, "the app's name; default: \(SecretID.defaultApp), which is installed from the start"))

    var act = AppAct.launch
    var app = SecretID.defaultApp

    var words: String {
        let app = app.appName
        return switch act {
        case .install: "\(app) is installed"
        case .launch: "opens \(app)"
        case .wake: "the system wakes \(app)"
        case .background: "\(app) moves to the background"
        case .resume: "\(app) returns to the foreground"
        case .kill: "\(app) is killed"
        case .uninstall: "\(app) is removed"
        case .reinstall: "\(app) is removed and installed again"
        case .clearData: "\(app)'s data is cleared"
        }
    }

    var variant: String? { act.rawValue }

    var stateAlready: String? {
        let app = app.appName
        return switch act {
        case .install: "\(app) is installed; remove it first, or use reinstall"
        case .launch, .resume: "\(app) is in the foreground; send it to the background first, or stop it"
        case .wake: "\(app) is running; stop it first"
        case .background: "\(app) is in the background; return it to the foreground first"
        case .kill: "\(app) is not running; open it first"
        case .uninstall, .reinstall, .clearData: nil
        }
    }

    func perform(on device: SimulatedDevice, powerCycle: PowerCycle?) async throws -> DeviceActResult {
        .away(try await device.perform(act, app: app))
    }
}

extension ActParameter {
    static func app(_ property: any WritableKeyPath<Act, String> & Sendable) -> Self {
        .optional("app", property, "the app's name; default: \(SecretID.defaultApp)")
    }
}

extension String {
    /// An app's name in a report.
    var appName: String { self == SecretID.defaultApp ? "the app" : self }
}

extension DeviceActResult {
    /// The time an app was away from the foreground, in whole seconds.
    static func away(_ span: Duration?) -> DeviceActResult { .told(span.map { "\(Int64($0 / .seconds(1))) s" }) }
}
