internal import SimulatedDevice
internal import VirtualAuthenticator

struct Reboot: ScreenAct {
    static let form = Form("reboot", "restarts a phone or computer, which comes back locked")

    static let isPreparation = true

    var words: String { "restarts" }

    func perform(on device: SimulatedDevice, powerCycle: PowerCycle?) async throws -> DeviceActResult {
        try await device.reboot(powerCycle: powerCycle)
        return .done
    }
}

struct SetAirplaneMode: PlainAct, ScreenAct, StateAct {
    static let form = Form(
        "airplane-mode", "switches airplane mode on or off",
        .required("state", \.state, "on: the network is off; off: the network is back"))

    var state = Switch.on

    var setting: DeviceSettingChange? { DeviceSettingChange(setting: .airplaneMode, isUsual: state == .off) }

    var words: String { "airplane mode is \(state.rawValue)" }

    func perform(on device: SimulatedDevice) throws { try device.setAirplaneMode(state == .on) }
}

struct CyclePower: DeclaredAct {
    static let form = Form("power-cycle", "cuts the power and restores it")

    static let isPreparation = true

    var words: String { "is unplugged and plugged in again" }

    func perform(on device: SimulatedDevice, powerCycle: PowerCycle?) async -> DeviceActResult {
        if let powerCycle { await powerCycle() } else { await device.authenticator.powerCycle() }
        return .done
    }
}
