internal import DeviceActs
package import DeviceProfiles
package import Documents
internal import Foundation
package import ProfileFiles
internal import SimulatedDevice
internal import VirtualAuthenticator
internal import YAMLFiles

extension Scenario {
    /// - Throws: ``SourceError`` with the line of each device whose profile is missing or invalid, and of each step that is
    ///   impossible at its device's profile.
    package func profiles(from library: ProfileLibrary) throws(SourceError) -> [DeviceProfile] {
        var mistakes: [SourceError] = []
        var profiles: [DeviceProfile] = []
        var byName: [String: DeviceProfile] = [:]
        for device in devices {
            do {
                let profile = try profile(of: device, from: library)
                profiles.append(profile)
                byName[device.name] = byName[device.name] ?? profile
            } catch {
                mistakes.append(error)
            }
        }
        mistakes += accountMistakes(byName)
        mistakes += peopleMistakes(byName)
        mistakes += contextMistakes(byName)
        mistakes += relyingParty.mistakes(steps, byName)
        // The devices that may have lost a means of verification.
        var changed: Set<String> = []
        for step in steps {
            if step.canEndVerification { changed.formUnion(step.devices) }
            guard let device = step.device, let profile = byName[device] else { continue }
            let possible = PossibleActs(profile, keepsVerification: profile.faults.isEmpty && !changed.contains(device))
            mistakes += [
                Self.actMistake(step, device, profile, possible), Self.screenMistake(step, device, profile),
                Self.callerMistake(step, device, profile),
            ].compactMap(\.self)
        }
        if let error = SourceError.joining(mistakes) { throw error }
        return profiles
    }

    /// The scenario with another profile for a device, whose user still acts as written.
    ///
    /// - Parameter profile: a profile's name, or a path that ends in `.yaml` or `.yml`, relative to the working directory.
    /// - Throws: ``SourceError`` for an unknown device.
    package func substituting(_ profile: String, for name: String) throws(SourceError) -> Scenario {
        guard let index = devices.firstIndex(where: { $0.name == name }) else { throw unknownDevice(name) }
        var scenario = self
        scenario.devices[index].replacedProfile = devices[index].declaredProfile
        scenario.devices[index].profile = ResourceName(profile).isPath ? URL(fileURLWithPath: profile).path : profile
        return scenario
    }

    /// The run with another device's title in its name, in place of the profile that its matrix chooses.
    ///
    /// The name stays where the profile is also that of a device that nothing replaces.
    package func renaming(_ name: String, to title: String) -> Scenario {
        guard let declared = devices.first(where: { $0.name == name })?.declaredProfile,
            !devices.contains(where: { $0.name != name && $0.replacedProfile == nil && $0.profile == declared })
        else { return self }
        var scenario = self
        let choices = combination.choices.map { choice in
            choice.value == declared ? Combination.Choice(parameter: choice.parameter, value: title) : choice
        }
        scenario.combination = Combination(choices: choices, values: combination.values)
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
            guard error.line == nil, error.each.count == 1 else { throw error }
            throw mistake(isPath ? "\(error.file): \(error.message)" : error.message)
        }
    }

    /// The devices of an account whose passkeys no provider syncs with those of the others.
    private func accountMistakes(_ byName: [String: DeviceProfile]) -> [SourceError] {
        accounts.flatMap { account in
            account.devices.compactMap { name in
                byName[name].flatMap { profile in
                    SyncAccount.obstacle(to: profile, besides: account.devices.first.flatMap { byName[$0] })
                }.map { account.place.error("\(name): \($0)") }
            }
        }
    }

    /// The error rates of users whose devices have no sensor.
    private func peopleMistakes(_ byName: [String: DeviceProfile]) -> [SourceError] {
        placesOfPeople.sorted { $0.key < $1.key }.compactMap { name, place in
            guard let profile = byName[name], profile.sensors.isEmpty else { return nil }
            return place.error("\(name), a \(profile.name), has no sensor; remove its error rates")
        }
    }

    /// A step that needs the screen of a security key; one that expects a refusal may.
    private static func screenMistake(
        _ step: ScenarioStep, _ device: String, _ profile: DeviceProfile
    ) -> SourceError? {
        guard step.needsScreen, !profile.authenticator.isPlatform else { return nil }
        return step.place.error(
            "\(step.word) needs a phone or a computer; \(device), a \(profile.name), is a security key")
    }

    /// An app that asks for a passkey and is not one of its device's platform.
    private static func callerMistake(
        _ step: ScenarioStep, _ device: String, _ profile: DeviceProfile
    ) -> SourceError? {
        guard case .ceremony(let ceremony) = step.action else { return nil }
        if ceremony.isScanned, !profile.scansCodes {
            return step.place.error(
                "\(device), a \(profile.name), scans no QR codes; choose a phone with the transport hybrid, or remove scan"
            )
        }
        return ceremony.problem(on: profile.platform).map { step.place.error("\(device): \($0)") }
    }

    /// The first act that no prompt of the device asks for, unless the step expects that a prompt ignores it.
    private static func actMistake(
        _ step: ScenarioStep, _ device: String, _ profile: DeviceProfile, _ possible: PossibleActs
    ) -> SourceError? {
        let ignored = step.expectation.ignoredActs
        for act in step.person where !ignored.contains(act.word) {
            guard let obstacle = possible.obstacle(to: act) else { continue }
            return step.place.error(
                "\(act.word): \(device), a \(profile.name), \(obstacle); choose from "
                    + possible.words.joined(separator: ", "))
        }
        return nil
    }
}

extension ScenarioStep {
    /// Whether its devices may be unable to verify their user in it or afterwards, and ask for a touch instead.
    fileprivate var canEndVerification: Bool {
        if interruptions.contains(where: \.act.canEndVerification) { return true }
        return switch action {
        case .device(.act(let act)): act.canEndVerification
        case .device(.reset), .device(.restore), .device(.replaceDevice): true
        case .device(.setPIN), .device(.changePIN), .device(.snapshot), .device(.sharePasskey),
            .device(.exportPasskeys), .device(.importPasskeys), .site, .service, .ceremony, .page, .app, .wait,
            .setClockBack, .check:
            false
        }
    }

    /// Whether it can succeed only at a device with a screen.
    fileprivate var needsScreen: Bool {
        if interruptions.contains(where: { $0.act.needsScreen && $0.expectation.outcome == .ok }) { return true }
        return switch action {
        case .app: true
        case .device(.act(let act)), .device(.exportPasskeys(let act, _)), .device(.importPasskeys(let act, _)):
            act.needsScreen && expectation.outcome == .ok
        case .site, .service, .ceremony, .page, .device, .wait, .setClockBack, .check: false
        }
    }
}
