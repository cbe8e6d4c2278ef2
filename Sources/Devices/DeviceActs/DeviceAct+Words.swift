internal import Biometrics
internal import SimulatedDevice

extension DeviceAct {
    /// What happens, as a story tells it: the device or its person is the subject.
    package var words: String {
        switch self {
        case .enrol(let name, _): "enrols \(name)"
        case .replace(let name, let newName, _): "enrols \(newName) in place of \(name)"
        case .unenrol(let name): "removes \(name ?? "everybody enrolled")"
        case .sensor(let availability, let modality):
            "the \(modality.map { "\($0.rawValue) " } ?? "")sensor is \(availability.rawValue) now"
        case .lockOut(let modality): "the \(modality.map { "\($0.rawValue) " } ?? "")sensor is locked for good"
        case .requireCredential(let reason): "only the passcode will do: \(reason.rawValue)"
        case .lock: "the screen is locked"
        case .unlock(let correctly): correctly ? "enters the passcode" : "enters a wrong passcode"
        case .unlockByBiometrics: "unlocks with the sensor"
        case .passcode(.set): "sets a passcode"
        case .passcode(.remove): "removes the passcode"
        case .passcode(.forceReset): "an administrator resets the passcode"
        case .powerCycle: "is pulled and plugged in again"
        case .reboot: "starts again"
        case .airplaneMode(let isOn): isOn ? "airplane mode is on" : "airplane mode is off"
        case .app(let act, let app): Self.words(act, app)
        case .verify(let wanted, let app): "\(Self.name(app)) asks for its person (\(wanted.rawValue))"
        case .storeSecret(let id, _, let protection):
            "\(Self.name(id.app)) stores \(id.name), bound to \(protection.access.rawValue)"
        case .readSecret(let id): "\(Self.name(id.app)) reads \(id.name)"
        case .checkSecret(let id): "\(Self.name(id.app)) looks for \(id.name)"
        case .deleteSecret(let id): "\(Self.name(id.app)) deletes \(id.name)"
        case .forgetCredentials(let filter, .here):
            filter.isEverything
                ? "its passkeys are deleted on the device only" : "\(filter.words) is deleted on the device only"
        case .forgetCredentials(let filter, .everywhere): "\(filter.words) is deleted, wherever it is synced"
        case .renamePasskey(let filter, let name): "\(filter.words) is called \(name) now"
        case .passkeyDelay(let seconds):
            seconds == 0 ? "new passkeys show at once" : "new passkeys show after \(seconds) s"
        case .fault(let name, let times): "goes wrong: \(name)" + (times.map { ", \($0) times" } ?? "")
        case .noFaults: "is sound again"
        }
    }

    private static func name(_ app: String) -> String { app == SecretID.defaultApp ? "the app" : app }

    private static func words(_ act: AppAct, _ app: String) -> String {
        let app = name(app)
        return switch act {
        case .install: "\(app) is installed"
        case .launch: "opens \(app)"
        case .wake: "the system wakes \(app)"
        case .background: "\(app) leaves the screen"
        case .resume: "\(app) is back on the screen"
        case .kill: "\(app) is killed"
        case .uninstall: "\(app) is removed"
        case .reinstall: "\(app) is removed and installed again"
        case .clearData: "\(app)'s data are cleared"
        }
    }
}
