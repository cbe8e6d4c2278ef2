internal import Biometrics
package import CTAP
internal import CTAPHID
package import DeviceActs
package import DeviceProfiles
package import DeviceStore
internal import Foundation
package import SimulatedDevice
package import Trace
internal import Transports
package import VirtualAuthenticator

/// A simulated device that runs beside real programs: served over UDP, USB or NFC, told what to do over its control socket.
package final class DeviceHost: Sendable {
    /// The device's name, by which commands reach it.
    package let name: String
    /// The device.
    package let device: SimulatedDevice
    /// The UDP port it listens on, if it does.
    package var port: Int? { endpoints.udp?.port }

    /// The person at it.
    package let person: ControlledPerson
    /// What its time is.
    package let clock: DeviceClock
    /// Its authenticator as clients reach it that need no transport, recorded in its trace where there is one.
    package let ctap: any CTAPDevice

    let store: DeviceStore?
    let endpoints: DeviceEndpoints
    private let control: ControlServer

    /// Starts a device; it listens when this returns.
    ///
    /// - Parameters:
    ///   - name: the name of its control socket.
    ///   - habit: what the person does when not told.
    ///   - nature: how their samples come out by themselves; nil for a person who always matches.
    ///   - connections: how programs reach it.
    ///   - clock: its time; a simulated one is this device's alone.
    ///   - seed: what its randomness follows from, signatures included; nil for the system's.
    ///   - trace: records what goes in and out of the device, and what happens in it.
    ///   - onEvent: hears what happens in the device.
    ///   - store: where the device keeps its state, and comes back from if it has any; the host closes it at its end.
    /// - Throws: ``DeviceHostError`` when a socket cannot be opened, or the state not be read.
    package static func start(
        _ profile: DeviceProfile, name: String, habit: ControlledPerson.Habit,
        nature: StatisticalPerson.Plan? = nil, connections: DeviceConnections, clock: DeviceClock = .real,
        seed: UInt64? = nil, trace: TraceRecorder? = nil,
        onEvent: @escaping @Sendable (AuthenticatorEvent) -> Void = { _ in },
        directory: ControlDirectory = .standard, store: DeviceStore? = nil
    ) async throws(DeviceHostError) -> DeviceHost {
        let samples = nature.map { StatisticalPerson($0, at: profile, time: clock, waitUntil: clock.pass) }
        let person = ControlledPerson(
            habit: habit, nature: samples ?? AgreeablePerson(), waitUntil: clock.pass, deadline: clock.wait)
        let trace = trace?.device(name, title: profile.title, vocabulary: profile.platformErrors, now: clock.now)
        let log = EventLog { event in
            onEvent(event)
            trace?.note(event)
        }
        let device = try await device(
            profile, person: person, clock: clock, seed: seed, log: log, store: store)
        try await ControlServer.checkName(name, in: directory)
        // Only what is complete is told anything.
        let endpoints = try await DeviceEndpoints.open(connections, to: device, named: name, trace: trace)
        let control: ControlServer
        do {
            control = try await ControlServer.listen(as: name, in: directory)
        } catch {
            await endpoints.close()
            throw error
        }
        return DeviceHost(
            name: name, device: device, ctap: trace?.traced(device.ctap) ?? device.ctap, store: store, person: person,
            clock: clock, endpoints: endpoints, control: control)
    }

    private init(
        name: String, device: SimulatedDevice, ctap: any CTAPDevice, store: DeviceStore?, person: ControlledPerson,
        clock: DeviceClock, endpoints: DeviceEndpoints, control: ControlServer
    ) {
        self.name = name
        self.device = device
        self.ctap = ctap
        self.store = store
        self.person = person
        self.clock = clock
        self.endpoints = endpoints
        self.control = control
    }

    /// Serves until the task is cancelled; ``close()`` comes after it.
    package func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.endpoints.run() }
            group.addTask { await self.control.run { await self.handle($0) } }
        }
    }

    /// Carries out one command.
    package func handle(_ request: ControlRequest) async -> ControlResponse {
        do {
            switch request.command {
            case .status: break
            case .present: await person.tell(try act(request.argument))
            case .unplug: try await usb().unplug()
            case .plugIn: try await usb().plugIn()
            case .tap: try await nfc().insert()
            case .remove:
                if let number = request.times {
                    try await nfc().remove(duringCommand: number)
                } else {
                    try await nfc().remove()
                }
            case .act:
                let act = try DeviceAct(verb: request.argument ?? "", arguments: request.arguments ?? [:])
                let result = await perform(act)
                if let cause = result.cause { return ControlResponse(refusal: cause) }
                var status = await status()
                status.answer = result.answer
                return ControlResponse(status: status)
            case .snapshot: try await writeSnapshot(to: try path(request.argument))
            case .restore: try await restore(from: try path(request.argument))
            }
            return ControlResponse(status: await status())
        } catch {
            return ControlResponse(error: "\(error)")
        }
    }

    private func usb() throws(DeviceHostError) -> UHIDEndpoint {
        guard let usb = endpoints.usb else { throw .refused("it is not on USB: `device start … --usb`") }
        return usb
    }

    private func nfc() throws(DeviceHostError) -> VPCDEndpoint {
        guard let nfc = endpoints.nfc else { throw .refused("it has no reader: `device start … --nfc`") }
        return nfc
    }

    /// The hidraw node of a device on USB, once the kernel has made it; nil when it does not within two seconds.
    package func usbNode() async -> String? {
        guard let unique = endpoints.usb?.identity.unique else { return nil }
        return await HIDRawNode.appearing(unique: unique, within: .seconds(2))?.path
    }

    private var usbStatus: DeviceStatus.USB? {
        endpoints.usb.map { usb in
            DeviceStatus.USB(
                vendorID: usb.identity.vendorID, productID: usb.identity.productID, name: usb.identity.name,
                isPluggedIn: usb.isPluggedIn, node: HIDRawNode.withUnique(usb.identity.unique)?.path)
        }
    }

    private func act(_ word: String?) throws(DeviceHostError) -> PersonAct {
        guard let word, let act = PersonAct(word: word) else {
            throw .refused("\"\(word ?? "")\" is nothing a person does; expected one of \(PersonAct.words)")
        }
        return act
    }

    private func path(_ argument: String?) throws(DeviceHostError) -> String {
        guard let argument, argument.hasPrefix("/") else { throw .refused("expected the absolute path of a file") }
        return argument
    }

    /// Carries out an act, with what its transports do about it.
    package func perform(_ act: DeviceAct) async -> DeviceActResult {
        guard endpoints.isSome else { return await device.perform(act) }
        return await device.perform(act) { [endpoints] in await endpoints.powerCycle() }
    }

    private var life: DeviceStatus.Life? {
        guard device.hasScreen else { return nil }
        let state = device.lifeState
        return DeviceStatus.Life(
            screen: state.isLocked ? "locked" : "unlocked", network: state.isOnline ? "online" : "offline",
            apps: state.apps.mapValues(\.label), items: device.secureStorage.ids.map(\.description))
    }

    /// How the device is now.
    package func status() async -> DeviceStatus {
        let snapshot = await device.authenticator.snapshot()
        let now = clock.now()
        var secondsLeft: Double?
        if case .timed(let until) = snapshot.lockout { secondsLeft = (until - now) / .seconds(1) }
        let sensors = snapshot.gate.map { gate in
            gate.sensors.map { DeviceStatus.Sensor($0, in: gate, at: now) }
        }
        let due = sensors?.lazy.compactMap(\.credentialDue).first
        return DeviceStatus(
            name: name, profile: device.profile.name, stateFile: store?.path,
            processID: ProcessInfo.processInfo.processIdentifier,
            udpPort: port, usb: usbStatus, isOnReader: await endpoints.nfc?.isInserted,
            uptimeSeconds: snapshot.uptime / .seconds(1),
            credentials: snapshot.credentials.map {
                DeviceStatus.Credential(
                    relyingPartyID: $0.relyingPartyID, user: $0.user.name, signCount: $0.signCount)
            },
            hasClientPIN: device.profile.authenticator.supportsClientPIN, isPINSet: snapshot.isPINSet,
            pinRetries: snapshot.pinRetries,
            needsPowerCycle: snapshot.needsPowerCycle, uvRetries: snapshot.uvRetries,
            lockout: snapshot.lockout?.label, lockoutSecondsLeft: secondsLeft,
            failedAttempts: snapshot.gate?.consecutiveFailures ?? 0,
            sensor: snapshot.gate?.sensor.map { "\($0.modality.rawValue), \($0.availability.rawValue)" },
            enrolled: snapshot.gate?.sensor?.templates.map(\.name) ?? [],
            sensors: sensors ?? [],
            deviceCredential: snapshot.gate?.deviceCredential.map { .init($0, due: due, at: now) },
            faults: await device.armedFaults,
            waitingFor: await person.openPrompt?.asksFor,
            planned: await person.plannedActs.map(\.word),
            life: life)
    }
}
