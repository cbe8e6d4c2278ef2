internal import DeviceActs
internal import Providers
internal import RelyingPartyServer
internal import SimulatedDevice

extension SettingUse.Change {
    /// The events that use the setting.
    var words: String {
        if case .failures = setting, uses > 1 { return "\(uses) requests that fail" }
        return setting.words
    }
}

extension SettingUse.Setting {
    /// The event that meets it.
    fileprivate var words: String {
        switch self {
        case .service(.availability(let name)): "a request that the state of \(name.rawValue) concerns"
        case .service(.fault(let name)): "an answer of \(name.title) that the fault changes"
        case .service(.nationalID(let name)): "a login with \(name.title) that reads the personnummer"
        case .service(.resident(let name)): "a login with \(name.title)"
        case .service(.accessLifetime), .service(.sessionLifetime), .service(.inactivityLimit), .service(.biometrics):
            "a session of the app's backend that the setting concerns"
        case .service(.rule(let organisation)): "a session of a member of \(organisation.rawValue)"
        case .service(.mailbox): "a message"
        case .service(.wellKnown): "a request for a well-known file"
        case .server(.latency): "a request to the server"
        case .failures: "a request that fails"
        case .app(let key): key.use
        case .device(let device, .passkeyDelay): "a new passkey on \(device)"
        case .device(let device, .airplaneMode): "a step while \(device) is in airplane mode"
        case .device(let device, .sensor), .device(let device, .lockout), .device(let device, .passcodeDemand):
            "a later step on \(device)"
        case .device(let device, .permission(let app)):
            "a prompt or a check on \(device) by \(app == SecretID.defaultApp ? "the app" : app), for the sensor"
        case .device(let device, .theftProtection): "a prompt on \(device) that the protection changes"
        case .device(let device, .place):
            "a prompt on \(device) away from familiar places, with theft protection on"
        }
    }
}
