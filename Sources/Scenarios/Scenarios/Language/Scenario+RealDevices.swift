package import Documents
internal import SimulatedDevice

extension Scenario {
    /// Checks, before the user touches a key, that every step can be played with these real devices.
    ///
    /// - Parameter devices: where the users of the real devices are, by the devices' names in the scenario.
    /// - Throws: ``SourceError`` with the line of the first step that cannot be played, and the reason.
    package func checkPlayable(on devices: [String: RealDevice.UserPlace]) throws(SourceError) {
        guard !devices.isEmpty else { return }
        for name in devices.keys.sorted() where !self.devices.contains(where: { $0.name == name }) {
            throw unknownDevice(name)
        }
        for account in accounts {
            guard let name = account.devices.first(where: { devices[$0] != nil }) else { continue }
            throw account.place.error("\(name) is a real device, which cannot sync; remove it from the account")
        }
        for step in steps {
            if let obstacle = step.obstacle(on: devices) {
                throw step.place.error("\(step.word): \(obstacle)")
            }
        }
    }
}

extension ScenarioStep {
    /// The reason the step cannot be played; nil when it can.
    fileprivate func obstacle(on devices: [String: RealDevice.UserPlace]) -> String? {
        switch action {
        case .wait, .setClockBack: return "a real device's clock cannot be moved"
        default: break
        }
        if case .device(let action) = action, let other = action.otherDevice, devices[other] != nil {
            return "\(other) is a real device; this needs a simulated one"
        }
        guard let device, let person = devices[device] else { return nil }
        guard interruptions.isEmpty else { return "\(device) is a real device; meanwhile needs a simulated device" }
        if case .page(.signal) = action { return "\(device) is a real device; a signal needs a simulated one" }
        if case .device(let action) = action { return action.obstacle(onReal: device) }
        if case .app = action { return "\(device) is a real device; the reference app runs on a simulated one" }
        guard case .here = person else { return nil }
        if let act = self.person.first(where: { $0.instruction == nil }) {
            return "\(device) is a real key; \(act.word) needs a simulated device"
        }
        return pins.count > 1
            ? "\(device) is a real key, and wrong PINs use up its retries; give one PIN only" : nil
    }
}
