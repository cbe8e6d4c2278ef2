package import DeviceProfiles
package import Documents
internal import Foundation
internal import SimulatedDevice

extension Scenario {
    /// Reads a scenario file.
    ///
    /// - Throws: ``SourceError`` with the line and what was expected there.
    package init(parsing text: String, file: String) throws(SourceError) {
        let root = try YAMLValue.parse(text, file: file)
        let fields = try root.fields(["name", "about", "requirements", "devices", "people", "sync", "steps"])
        self.file = file
        name = try fields.required("name").string()
        about = try fields["about"]?.string() ?? ""
        requirements = try Self.requirements(fields["requirements"])
        devices = try Self.devices(fields.required("devices"))
        deviceLines = try fields.required("devices").entries().map(\.value.line)
        people = try RecognitionPlan.people(fields["people"], devices: devices.map(\.name))
        accounts = try Self.accounts(fields["sync"], devices.map(\.name))
        let items = try fields.required("steps").items()
        guard !items.isEmpty else { throw try fields.required("steps").error("there are no steps") }
        var steps: [ScenarioStep] = []
        for item in items { steps.append(try ScenarioStep(reading: item, devices: devices.map(\.name))) }
        self.steps = steps
        try checkSnapshots()
    }

    /// The profiles of its devices.
    ///
    /// - Throws: ``SourceError`` with the line of a device whose profile is missing or invalid.
    package func profiles(from library: ProfileLibrary) throws(SourceError) -> [DeviceProfile] {
        var profiles: [DeviceProfile] = []
        for (device, line) in zip(devices, deviceLines) {
            guard !device.profile.contains("/") || device.profile.hasSuffix(".yaml") else {
                throw SourceError(
                    file: file, line: line, message: "expected a profile's name, or a path that ends in .yaml")
            }
            do {
                profiles.append(try library.profile(place(of: device.profile)))
            } catch {
                guard error.line == nil else { throw error }
                let isPath = device.profile.contains("/") || device.profile.hasSuffix(".yaml")
                throw SourceError(
                    file: file, line: line, message: isPath ? "\(error.file): \(error.message)" : error.message)
            }
        }
        try checkAccounts(profiles)
        return profiles
    }

    /// A profile's name, or the path of its file; a relative one is resolved against the scenario's, as for `extends`.
    private func place(of profile: String) -> String {
        guard profile.contains("/") || profile.hasSuffix(".yaml"), !profile.hasPrefix("/") else { return profile }
        return URL(fileURLWithPath: file).deletingLastPathComponent().appendingPathComponent(profile).path
    }

    /// Checks that the devices of an account make passkeys that one provider syncs.
    private func checkAccounts(_ profiles: [DeviceProfile]) throws(SourceError) {
        let byName = Dictionary(zip(devices.map(\.name), profiles), uniquingKeysWith: { first, _ in first })
        for account in accounts {
            for name in account.devices {
                guard let profile = byName[name],
                    let obstacle = SyncAccount.obstacle(
                        to: profile, besides: account.devices.first.flatMap { byName[$0] })
                else { continue }
                throw SourceError(file: file, line: account.line, message: "\(name): \(obstacle)")
            }
        }
    }

    /// Checks that a snapshot is taken before it is restored, and restored to a device of the same profile.
    private func checkSnapshots() throws(SourceError) {
        let profiles = Dictionary(devices.map { ($0.name, $0.profile) }, uniquingKeysWith: { first, _ in first })
        var snapshots: [String: String] = [:]
        for step in steps {
            guard let profile = step.device.flatMap({ profiles[$0] }) else { continue }
            switch step.action {
            case .device(.snapshot(let name)): snapshots[name] = profile
            case .device(.restore(let name)):
                guard let original = snapshots[name] else {
                    throw SourceError(
                        file: file, line: step.line, message: "no earlier step takes a snapshot \"\(name)\"")
                }
                guard original == profile else {
                    throw SourceError(
                        file: file, line: step.line,
                        message:
                            "the snapshot \"\(name)\" is of a \(original), the device is a \(profile)"
                    )
                }
            default: break
            }
        }
    }

    private static func requirements(_ value: YAMLValue?) throws(SourceError) -> [String] {
        guard let value else { return [] }
        var identifiers: [String] = []
        for item in try value.items() {
            let identifier = try item.string()
            guard let letter = identifier.first, ("A"..."M").contains(letter), Int(identifier.dropFirst()) != nil
            else { throw item.error("expected a requirement such as E5, found \"\(identifier)\"") }
            identifiers.append(identifier)
        }
        return identifiers
    }

    /// One account, or a list of them.
    private static func accounts(_ value: YAMLValue?, _ devices: [String]) throws(SourceError) -> [Account] {
        guard let value else { return [] }
        var accounts: [Account] = []
        for item in value.itemsOrSelf() {
            let fields = try item.fields(["account", "devices", "delay"])
            var members: [String] = []
            for entry in try fields.required("devices").itemsOrSelf() {
                let name = try entry.string()
                guard devices.contains(name) else {
                    throw entry.unknownDevice(name, devices)
                }
                guard !members.contains(name), !accounts.contains(where: { $0.devices.contains(name) }) else {
                    throw entry.error("\(name) belongs to an account already")
                }
                members.append(name)
            }
            accounts.append(
                Account(
                    line: item.line, name: try fields.required("account").string(), devices: members,
                    delay: try fields["delay"]?.duration() ?? .zero))
        }
        return accounts
    }

    private static func devices(_ value: YAMLValue) throws(SourceError) -> [(name: String, profile: String)] {
        var devices: [(name: String, profile: String)] = []
        for (name, profile) in try value.entries() { devices.append((name, try profile.string())) }
        guard !devices.isEmpty else { throw value.error("there is no device") }
        return devices
    }
}
