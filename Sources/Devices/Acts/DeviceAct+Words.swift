internal import Biometrics

extension DeviceAct {
    /// What happens, as a story tells it: the device or its person is the subject.
    public var words: String {
        switch self {
        case .enrol(let name): "enrols \(name)"
        case .unenrol(let name): "removes \(name ?? "everybody enrolled")"
        case .unlock(let correctly): correctly ? "enters the passcode" : "enters a wrong passcode"
        case .sensor(let availability): "the sensor is \(availability.rawValue) now"
        case .powerCycle: "is pulled and plugged in again"
        case .forgetCredentials: "its passkeys are deleted on the device only"
        case .fault(let name, let times): "goes wrong: \(name)" + (times.map { ", \($0) times" } ?? "")
        case .noFaults: "is sound again"
        case .storeSecret(let name, let access): "the app stores \(name), bound to \(access.rawValue)"
        case .readSecret(let name): "the app reads \(name)"
        }
    }
}
