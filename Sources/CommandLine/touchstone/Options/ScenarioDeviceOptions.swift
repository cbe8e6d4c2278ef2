import ArgumentParser
import CTAP
import DeviceProfiles
import KeyBench
internal import MachineTime
internal import ProfileFiles
import Scenarios
import SecurityKeys
import SimulatedDevice
import Trace
import WebAuthnClient

/// Other devices in place of those that a scenario declares.
struct ScenarioDeviceOptions: ParsableArguments {
    @Option(
        name: .customLong("device"),
        help: ArgumentHelp(
            """
            Replace this device of the scenario: \(DeviceSelector.spellings). virtual:PROFILE only \
            replaces its profile. NAME= is needed when the scenario has several devices.
            """, valueName: "[name=]selector"))
    var devices: [String] = []

    @OptionGroup var phones: PhoneOptions

    @OptionGroup var pin: PINOptions

    private typealias Replacement = (name: String, device: BenchDevice)

    /// Finds the devices for a scenario and works with them while they are open.
    ///
    /// - Throws: `SourceError` for a scenario that cannot be played with them, `CommandError` for an option that names no
    ///   device, `KeyBenchError` when a device was not found.
    func open<Result: Sendable>(
        for scenario: Scenario, trace: TraceRecorder?,
        _ use: @escaping @Sendable ([String: RealDevice]) async throws -> Result
    ) async throws -> Result {
        guard !devices.isEmpty else { return try await use([:]) }
        var replacements: [Replacement] = []
        for selection in try realSelections(for: scenario) {
            replacements.append(
                (selection.name, try await KeyOptions.onlyDevice(selection.selector.description, phones: phones)))
        }
        return try await Interruption.cancelling { [replacements] in
            try await open(replacements[...], [:], trace, use)
        }
    }

    /// Checks that every scenario can be played with the devices, before any device is looked for.
    func check(_ scenarios: [Scenario]) throws {
        try phones.check(
            devices.map { DeviceSelector($0.split(separator: "=", maxSplits: 1).last.map(String.init) ?? "") })
        for scenario in scenarios where !devices.isEmpty {
            try scenario.checkPlayable(
                on: Dictionary(
                    try realSelections(for: scenario).map { ($0.name, $0.selector.person) },
                    uniquingKeysWith: { first, _ in first }))
        }
    }

    /// The scenario with the profiles of `virtual:PROFILE` in place of its own.
    ///
    /// - Throws: `CommandError` for a profile or a device that does not exist.
    func substituting(in scenario: Scenario, from profiles: ProfileLibrary) throws -> Scenario {
        try selections(for: scenario).reduce(scenario) { scenario, selection in
            guard case .virtual(let profile) = selection.selector else { return scenario }
            do {
                _ = try profiles.profile(profile)
                return try scenario.substituting(profile, for: selection.name)
            } catch {
                throw CommandError("--device \(selection.name)=\(selection.selector): \(error)", .badInput)
            }
        }
    }

    /// The runs, each named after the device that replaces its own.
    ///
    /// - Throws: `CommandError` where a device would stand for several: its runs would all be the same.
    func renaming(_ runs: [Scenario]) throws -> [Scenario] {
        var profiles: [String: String] = [:]
        return try runs.map { run in
            try selections(for: run).reduce(run) { renamed, selection in
                guard let own = run.devices.first(where: { $0.name == selection.name })?.declaredProfile else {
                    return renamed
                }
                let other = profiles.updateValue(own, forKey: "\(run.file) \(selection.name)")
                guard other == nil || other == own else {
                    throw CommandError(
                        "\(run.file): \(selection.name) has several profiles in these runs, such as \(other ?? own) and \(own), "
                            + "and --device replaces only one; select one profile with --matrix", .badInput)
                }
                return renamed.renaming(selection.name, to: Self.title(of: selection.selector))
            }
        }
    }

    private static func title(of selector: DeviceSelector) -> String {
        if case .virtual(let profile) = selector { profile } else { selector.description }
    }

    private func realSelections(for scenario: Scenario) throws -> [(name: String, selector: DeviceSelector)] {
        try selections(for: scenario).filter { if case .virtual = $0.selector { false } else { true } }
    }

    private func selections(for scenario: Scenario) throws -> [(name: String, selector: DeviceSelector)] {
        var selections: [(name: String, selector: DeviceSelector)] = []
        for text in devices {
            let selection = try selection(text, for: scenario)
            guard !selections.contains(where: { $0.name == selection.name }) else {
                throw CommandError("--device names \(selection.name) twice", .badInput)
            }
            selections.append(selection)
        }
        return selections
    }

    private func selection(_ text: String, for scenario: Scenario) throws -> (name: String, selector: DeviceSelector) {
        if let selector = DeviceSelector(text) {
            if scenario.devices.count == 1 { return (scenario.devices[0].name, selector) }
            let names = scenario.devices.map(\.name).joined(separator: ", ")
            throw CommandError(
                "\(scenario.name) has several devices (\(names)); choose one with --device NAME=\(text)", .badInput)
        }
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2, let selector = DeviceSelector(parts[1]) else {
            throw CommandError(
                "\"\(text)\" is not a device selector; expected NAME= and one of \(DeviceSelector.spellings)", .badInput
            )
        }
        return (parts[0], selector)
    }

    /// Opens one device after the other, and closes all when `use` returns.
    private func open<Result: Sendable>(
        _ replacements: ArraySlice<Replacement>, _ opened: [String: RealDevice], _ trace: TraceRecorder?,
        _ use: @escaping @Sendable ([String: RealDevice]) async throws -> Result
    ) async throws -> Result {
        guard let replacement = replacements.first else { return try await use(opened) }
        let keyPerson = KeyUser(key: "\(replacement.device.title) (\(replacement.device.selector))")
        let person = replacement.device.selector.person
        var environment = pin.environment(keyPerson)
        if person == .elsewhere { environment.onKeepalive = { _ in } }
        let deviceTrace = trace?.device(replacement.name, title: replacement.device.title, now: SystemTime().now)
        do {
            return try await replacement.device.withDevice(trace: deviceTrace) { device in
                var opened = opened
                opened[replacement.name] = RealDevice(
                    ctap: device.observed { _, _ in keyPerson.isDone() }, person: person,
                    environment: environment,
                    tell: keyPerson.expects)
                return try await open(replacements.dropFirst(), opened, trace, use)
            }
        } catch let error as CTAPDeviceError {
            throw CommandError("\(replacement.name): \(keyPerson.key) cannot be reached: \(error)", .notFound)
        }
    }
}

extension DeviceSelector {
    fileprivate var person: RealDevice.UserPlace {
        switch self {
        case .usb, .nfc, .hybrid, .link: .here
        case .virtual, .udp: .elsewhere
        }
    }
}
