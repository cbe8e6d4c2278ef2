internal import Biometrics
internal import DeviceActs
package import DeviceProfiles
package import Documents
internal import Foundation
internal import SimulatedDevice
internal import VirtualAuthenticator

extension Scenario {
    /// - Throws: ``SourceError`` with the line of a device whose profile is missing or invalid.
    package func profiles(from library: ProfileLibrary) throws(SourceError) -> [DeviceProfile] {
        let profiles = try devices.map { device throws(SourceError) in try profile(of: device, from: library) }
        let byName = Dictionary(zip(devices.map(\.name), profiles), uniquingKeysWith: { first, _ in first })
        try checkAccounts(byName)
        try checkSensors(byName)
        try checkScreens(byName)
        try checkCallers(byName)
        return profiles
    }

    /// The scenario with another profile for a device, whose user still acts as written.
    ///
    /// - Parameter profile: a profile's name, or a path that ends in `.yaml` or `.yml`, relative to the working directory.
    /// - Throws: ``SourceError`` for an unknown device.
    package func substituting(_ profile: String, for name: String) throws(SourceError) -> Scenario {
        guard let index = devices.firstIndex(where: { $0.name == name }) else { throw unknownDevice(name) }
        var scenario = self
        scenario.devices[index].profile = ResourceName(profile).isPath ? URL(fileURLWithPath: profile).path : profile
        return scenario
    }

    func unknownDevice(_ name: String) -> SourceError {
        let names = devices.map(\.name).joined(separator: ", ")
        return SourceError(file: file, line: nil, message: "there is no device \"\(name)\"; choose one of \(names)")
    }

    private func profile(of device: Device, from library: ProfileLibrary) throws(SourceError) -> DeviceProfile {
        func mistake(_ message: String) -> SourceError { device.place.error(message) }
        let isPath = ResourceName(device.profile).isPath
        guard !isPath || ResourceName.isYAML(device.profile) else {
            throw mistake("expected a profile's name, or a path that ends in .yaml or .yml")
        }
        do {
            switch ResourceName(device.profile).resolved(against: file) {
            case .name(let name), .path(let name): return try library.profile(name)
            }
        } catch {
            guard error.line == nil else { throw error }
            throw mistake(isPath ? "\(error.file): \(error.message)" : error.message)
        }
    }

    /// Checks that the devices of an account make passkeys that one provider syncs.
    private func checkAccounts(_ byName: [String: DeviceProfile]) throws(SourceError) {
        for account in accounts {
            for name in account.devices {
                guard let profile = byName[name],
                    let obstacle = SyncAccount.obstacle(
                        to: profile, besides: account.devices.first.flatMap { byName[$0] })
                else { continue }
                throw account.place.error("\(name): \(obstacle)")
            }
        }
    }

    /// Checks that no step needs the screen of a security key; one that expects a refusal may.
    private func checkScreens(_ byName: [String: DeviceProfile]) throws(SourceError) {
        for step in steps where step.needsScreen {
            guard let device = step.device, let profile = byName[device], !profile.authenticator.isPlatform else {
                continue
            }
            throw step.place.error(
                "\(step.word) needs a phone or a computer; \(device), a \(profile.name), is a security key")
        }
    }

    /// Checks that an app that asks for a passkey is one of its device's platform.
    private func checkCallers(_ byName: [String: DeviceProfile]) throws(SourceError) {
        for step in steps {
            guard case .ceremony(let ceremony) = step.action, let device = step.device, let profile = byName[device],
                let problem = ceremony.problem(on: profile.platform)
            else { continue }
            throw step.place.error("\(device): \(problem)")
        }
    }

    private func checkSensors(_ byName: [String: DeviceProfile]) throws(SourceError) {
        for step in steps {
            guard let device = step.device, let profile = byName[device] else { continue }
            for act in step.person {
                guard let modality = act.modality, !profile.sensors.contains(where: { $0.modality == modality }) else {
                    continue
                }
                throw step.place.error("\(act.word): \(device), a \(profile.name), has no \(modality.rawValue) sensor")
            }
        }
    }
}

extension ScenarioStep {
    /// Whether it can succeed only at a device with a screen.
    fileprivate var needsScreen: Bool {
        if interruptions.contains(where: { $0.act.needsScreen && $0.expectation.outcome == .ok }) { return true }
        return switch action {
        case .app: true
        case .device(.act(let act)): act.needsScreen && expectation.outcome == .ok
        case .site, .service, .ceremony, .page, .device, .wait, .check: false
        }
    }
}
