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
internal import WebAuthn

/// A simulated device that runs beside real programs: served over UDP, USB or NFC, and controlled over its socket.
package struct DeviceHost: Sendable {
    /// The device's name, by which requests reach it.
    package let name: String
    package let device: SimulatedDevice
    /// The UDP port it listens on, if any.
    package var port: Int? { endpoints.udp?.port }

    package let person: ControlledUser
    package let clock: DeviceClock
    /// Its authenticator for clients in this process; recorded in the trace, if there is one.
    package let ctap: any CTAPDevice
    /// The same over the hybrid transport.
    let hybrid: any CTAPDevice

    let store: DeviceStore?
    let endpoints: DeviceEndpoints
    let scanWays: ScanWays
    private let socket: DeviceSocketServer
    private let samplesSeed: UInt64?

    /// Starts a device; it listens when this returns.
    ///
    /// - Parameters:
    ///   - nature: the model of the user's samples; nil for samples that always match.
    ///   - watching: wraps the user whom the device asks, such as to hear of the prompts of an app.
    ///   - clock: the device's time; no other device may share a simulated clock.
    ///   - seed: the seed of keys, IDs and signatures; nil for the system's random numbers.
    ///   - store: the device's state file; a device with stored state continues it. ``close()`` closes the file.
    /// - Throws: ``DeviceHostError`` when a socket cannot be opened or the state cannot be read.
    package static func start(
        _ profile: DeviceProfile, name: String, habit: ControlledUser.Habit,
        nature: StatisticalUser.Plan? = nil, watching: (any User) -> any User = { $0 },
        connections: DeviceConnections, clock: DeviceClock = .real(),
        seed: UInt64? = nil, trace: TraceRecorder? = nil,
        onEvent: @escaping @Sendable (AuthenticatorEvent) -> Void = { _ in },
        directory: DeviceSocketDirectory = .standard, store: DeviceStore? = nil
    ) async throws(DeviceHostError) -> DeviceHost {
        let samples = nature.map { StatisticalUser($0, at: profile, time: clock, waitUntil: clock.pass) }
        let person = ControlledUser(
            habit: habit, liftsFromReader: true, nature: samples ?? ConsentingUser(), waitUntil: clock.pass,
            deadline: clock.wait)
        let trace = trace?.device(name, title: profile.title, vocabulary: profile.platformErrors, now: clock.now)
        let log = EventLog { event in
            onEvent(event)
            trace?.note(event)
        }
        do throws(DeviceHostError) {
            // The socket claims the name before anything else is touched; it answers once the device runs.
            let socket = try await DeviceSocketServer.listen(as: name, in: directory)
            do throws(DeviceHostError) {
                let device = try await device(
                    profile, person: watching(person), clock: clock, seed: seed, log: log, store: store)
                return DeviceHost(
                    name: name, device: device, person: person, clock: clock,
                    ctap: trace?.traced(device.ctap) ?? device.ctap,
                    hybrid: trace?.traced(device.ctap(over: .hybrid)) ?? device.ctap(over: .hybrid), store: store,
                    endpoints: try await DeviceEndpoints.open(connections, to: device, named: name, trace: trace),
                    scanWays: ScanWays(name: name), socket: socket, samplesSeed: nature?.seed)
            } catch {
                await socket.close()
                throw error
            }
        } catch {
            store?.discard()
            throw error
        }
    }

    /// Serves until the task is cancelled; call ``close()`` afterwards.
    package func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.endpoints.run() }
            group.addTask {
                await self.socket.run { request in
                    await .performing { () async throws(DeviceHostError) in try await self.perform(request) }
                }
            }
        }
    }

    /// Performs a request, and returns the status after it.
    package func perform(_ request: DeviceRequest) async throws(DeviceHostError) -> DeviceAnswer {
        var answer: String?
        do {
            switch request {
            case .status: break
            case .present(let acts, let replacing):
                try await requirePossible(acts)
                if replacing { _ = await person.clearQueuedActs() }
                answer = await present(acts)
            case .unplug: try await usb().unplug()
            case .plugIn: try await usb().plugIn()
            case .placeOnReader:
                try await nfc().remove()
                try await nfc().insert()
            case .remove(nil): try await nfc().remove()
            case .remove(let number?): try await nfc().remove(duringCommand: number)
            case .scan(let code, let place): answer = try await answerScan(code, at: place)
            case .act(let act): answer = try done(await perform(act)).answer
            case .exportPasskeys(let act, let path): answer = try await exportPasskeys(act, to: Self.absolute(path))
            case .importPasskeys(let act, let path): answer = try await importPasskeys(act, from: Self.absolute(path))
            case .setClockBack(let span): try setClockBack(by: span)
            case .snapshot(let path): try await writeSnapshot(to: Self.absolute(path))
            case .restore(let path): try await restore(from: Self.absolute(path))
            }
        } catch let error as DeviceHostError {
            throw error
        } catch {
            throw .impossible("\(error)")
        }
        return DeviceAnswer(await report().status, answer: answer)
    }

    /// The result of an act that was done; throws the reason why it was not.
    func done(_ result: DeviceActResult) throws(DeviceHostError) -> DeviceActResult {
        if let idleness = result.idleness { throw .idle(idleness) }
        if let reason = result.reason { throw .refused(reason) }
        return result
    }

    private func setClockBack(by span: Duration) throws(DeviceHostError) {
        guard device.hasScreen else {
            throw .impossible("a security key has no clock; set back that of a phone or computer")
        }
        try clock.setBack(by: span)
    }

    /// An absolute path, valid in this process and in the client's.
    private static func absolute(_ path: String) throws(DeviceHostError) -> String {
        guard path.hasPrefix("/") else { throw .impossible("expected the absolute path of a file") }
        return path
    }

    private func usb() throws(DeviceHostError) -> UHIDEndpoint {
        guard let usb = endpoints.usb else {
            throw .impossible("it is not on USB; start it with `device start … --usb`")
        }
        return usb
    }

    private func nfc() throws(DeviceHostError) -> VPCDEndpoint {
        guard let nfc = endpoints.nfc else {
            throw .impossible("it has no NFC reader; start it with `device start … --nfc`")
        }
        return nfc
    }

    /// The path of the hidraw node of a device on USB; nil when the kernel does not create it within two seconds.
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

    package func perform(_ act: DeviceAct) async -> DeviceActResult {
        guard endpoints.isSome else { return await device.perform(act) }
        return await device.perform(act) { [endpoints] in await endpoints.powerCycle() }
    }

    package func report() async -> DeviceReport {
        var report = await DeviceReport(device, clock: clock)
        report.status.name = name
        report.status.stateFile = store?.path
        report.status.udpPort = port
        report.status.usb = usbStatus
        report.status.isOnReader = await endpoints.nfc?.isInserted
        report.status.waitingFor = await person.openPrompt?.asksFor
        report.status.planned = await person.plannedActs.map(\.word)
        report.samplesSeed = samplesSeed
        return report
    }
}
