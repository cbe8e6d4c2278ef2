package import Documents
internal import SimulatedDevice

extension Scenario {
    /// Checks that the scenario can be played with real devices in the place of some of its own, so that a run does not
    /// end in the middle of a story that somebody stands up for to touch keys.
    ///
    /// - Parameter devices: the real ones by their names in the scenario, and where their people are.
    /// - Throws: ``SourceError`` with the line of the first step that cannot be played, and why.
    package func checkPlayable(on devices: [String: RealDevice.Person]) throws(SourceError) {
        guard !devices.isEmpty else { return }
        for name in devices.keys.sorted() where !self.devices.contains(where: { $0.name == name }) {
            let names = self.devices.map(\.name).joined(separator: ", ")
            throw SourceError(file: file, line: nil, message: "there is no device \"\(name)\"; there are \(names)")
        }
        for account in accounts {
            guard let name = account.devices.first(where: { devices[$0] != nil }) else { continue }
            throw SourceError(
                file: file, line: account.line, message: "\(name) is a real device, which syncs with nothing here")
        }
        for step in steps {
            if let obstacle = step.obstacle(on: devices) {
                throw SourceError(file: file, line: step.line, message: "\(step.word): \(obstacle)")
            }
        }
    }
}

extension ScenarioStep {
    /// Why the step cannot be played; nil when it can.
    fileprivate func obstacle(on devices: [String: RealDevice.Person]) -> String? {
        if case .wait = action { return "a real device's clock cannot be moved" }
        if let other, devices[other] != nil { return "\(other) is a real device; this needs a simulated one" }
        guard let device, let person = devices[device] else { return nil }
        guard meanwhile.isEmpty else { return "nothing can be made to happen to \(device), a real device" }
        switch action {
        case .setPIN, .changePIN, .reset:
            return "\(device) is a real device, whose PIN and credentials a scenario leaves alone"
        case .act, .snapshot, .restore, .sharePasskey, .replaceDevice:
            return "\(device) is a real device; this needs a simulated one"
        case .createAccount, .signOut, .register, .signIn, .reauthenticate, .listPasskeys, .deletePasskey,
            .restartServer, .wait, .check:
            break
        }
        guard case .here = person else { return nil }
        if let act = self.person.first(where: { $0.instruction == nil }) {
            return "nobody can do \(act.word) at \(device), a real key"
        }
        return pins.count > 1
            ? "only the right PIN is typed at \(device), a real key: the others would cost tries" : nil
    }
}

extension Expectation.Subject {
    /// Why this cannot be looked at when the device is a real one; nil when it can.
    var obstacleOnRealDevice: String? {
        switch self {
        case .outcome, .page, .status, .client, .http, .code, .ledger, .userVerified, .backedUp, .passkeys: nil
        case .signCount: "a real device has counted before, and perhaps for other credentials"
        case .reason, .cause, .told, .prompts, .touches, .lockout, .failures, .uvRetries, .pinRetries, .credentials,
            .enrolled, .answer, .items, .screen, .network, .app:
            "a real device does not tell"
        }
    }
}
