internal import COSE
internal import CTAP
internal import CTAPHID
internal import CTAPNFC
internal import DeviceProfiles
internal import HybridLink
internal import KeyBench
internal import SecurityKeys
internal import SimulatedDevice
internal import Transports
internal import VirtualAuthenticator
internal import WebAuthn

/// The open connections to an authenticator: its messages, and the layers beneath them where the transport shows them.
struct AuthenticatorLink: Sendable {
    var device: any CTAPDevice
    /// The transport of ``device``; UDP carries the same messages as USB.
    var transport = AuthenticatorTransport.usb
    /// Answers U2F; nil where the bench has no way to send it.
    var u2f: (any U2FDevice)?
    var reports: (any ReportTransport)?
    var apdus: (any APDUChannel)?
    var simulation: Simulation?
    /// Whether its user sees the bench's instructions.
    var isAtHand = true
    /// Whether its user can leave a request without a touch.
    var canWithholdTouch = true
    /// Whether laying it on the reader is the touch (CTAP 2.3 §5), so that no request waits for one.
    var isTouchedByTap = false
    /// Whether the transport tells that the device waits for its user, and carries a cancel; hybrid does neither.
    var tellsOfWaiting = true
    /// Whether it follows the rules of a USB device, which simulators over UDP relax.
    var isOnBus = true
    /// Takes the power of a card away and gives it back; no application is selected afterwards.
    var restartCard: (@Sendable () async throws -> Void)?
    /// Whether ``powerCycle`` needs a person.
    var replugs = false
    /// Asks for a new channel, or opens the device again; nil where there is no connection to renew.
    var reopen: (@Sendable () async throws -> Void)?
    var powerCycle: (@Sendable () async throws -> Void)?
    var close: @Sendable () async -> Void

    struct Simulation: Sendable {
        let device: SimulatedDevice
        let person: ControlledUser
        let clock: SimulatedClock
    }

    /// - Throws: `CTAPDeviceError` when it cannot be reached.
    static func open(
        _ place: BenchDevice.Place, _ settings: AuthenticatorBench.Settings
    ) async throws -> AuthenticatorLink {
        switch place {
        case .virtual(let device): try await simulated(device.profile, seed: settings.seed)
        case .usb(let key): try await usb(key, settings)
        case .nfc(let reader): try await nfc(reader)
        case .udp(let host, let port): try await udp(host, port, settings)
        case .hybrid(let phone): hybrid(phone, settings)
        }
    }

    /// A new device of a profile, on a clock of its own: a time-out of thirty seconds takes none.
    static func simulated(_ profile: DeviceProfile, seed: UInt64?) async throws -> AuthenticatorLink {
        let clock = SimulatedClock()
        let person = ControlledUser(habit: .auto, liftsFromReader: true, waitUntil: { clock.advance(to: $0) })
        let device = try SimulatedDevice(
            profile: profile, time: clock, random: seed.map(SeededRandomSource.init) ?? SystemRandomSource(),
            user: person, signing: seed == nil ? .randomized : .deterministic, wait: { clock.advance(to: $0) })
        let transports = profile.authenticator.transports
        let transport = profile.directTransport
        let route = device.ctap(over: transport)
        var reports: InProcessReportTransport?
        if transports.contains(.usb) {
            reports = InProcessReportTransport(
                device.ctap(over: .usb), u2f: device.u2f(over: .usb), faults: device.transportFaults)
        }
        var card: SimulatedCard?
        if transports.contains(.nfc) {
            card = SimulatedCard(device.ctap(over: .nfc), u2f: device.u2f(over: .nfc))
        }
        var link = AuthenticatorLink(
            device: route, powerCycle: { await route.powerCycle() }, close: { [reports] in reports?.disconnect() })
        link.u2f = device.u2f(over: transport)
        link.reports = reports
        link.apdus = card
        if let card { link.restartCard = { await card.lift() } }
        link.simulation = Simulation(device: device, person: person, clock: clock)
        link.transport = transport
        return link
    }

    private static func usb(_ key: USBKey, _ settings: AuthenticatorBench.Settings) async throws -> AuthenticatorLink {
        let place = try await ReplaceableKey(key, answerLimit: settings.answerLimit)
        var link = AuthenticatorLink(
            device: place, powerCycle: { try await place.waitForReplug(by: settings.replug) },
            close: { await place.close() })
        link.reopen = { try await place.reopen() }
        link.u2f = place
        link.reports = place
        link.replugs = settings.replug == nil
        link.canWithholdTouch = !settings.isAlwaysTouched
        return link
    }

    private static func nfc(_ reader: String) async throws -> AuthenticatorLink {
        let card = try await PCSCCard.connect(to: reader)
        let client = try await NFCClient.select(over: card)
        var link = AuthenticatorLink(
            device: client,
            powerCycle: {
                try await card.powerCycle()
                try await client.select()
            }, close: { await card.disconnect() })
        if await client.supportsU2F { link.u2f = TransmittedU2F(client: client, card: card) }
        link.apdus = card
        link.restartCard = { try await card.powerCycle() }
        link.isTouchedByTap = true
        link.transport = .nfc
        return link
    }

    private static func udp(
        _ host: String, _ port: Int, _ settings: AuthenticatorBench.Settings
    ) async throws -> AuthenticatorLink {
        let device = try await UDPDevice.connect(to: host, port: port, exchangeLimit: settings.answerLimit)
        let reports = try UDPReports(host: host, port: port)
        let power = UDPPower(device, reports, replug: settings.replug)
        var link = AuthenticatorLink(
            device: device, powerCycle: { try await power.cycle() }, close: { await device.close() })
        link.reopen = { try await patiently { try await device.requestChannel() } }
        link.reports = reports
        link.isAtHand = false
        link.isOnBus = false
        if await device.initialization()?.capabilities.contains(.noMessage) == false {
            link.u2f = ReportedU2F(channel: HIDChannel(reports))
        }
        return link
    }

    /// A phone connects anew for each command, so that there is no connection to renew, and no power to cut.
    private static func hybrid(
        _ phone: HybridPhone, _ settings: AuthenticatorBench.Settings
    ) -> AuthenticatorLink {
        var link = AuthenticatorLink(device: phone, close: { await phone.close() })
        link.transport = .hybrid
        link.tellsOfWaiting = false
        link.isOnBus = false
        link.canWithholdTouch = !settings.isAlwaysTouched
        return link
    }

    /// Performs an act again and again while it fails, for as long as a device takes to start anew.
    static func patiently<Value>(_ act: () async throws -> Value) async throws -> Value {
        let end = ContinuousClock.now + startTime
        while true {
            do {
                return try await act()
            } catch {
                guard ContinuousClock.now < end else { throw error }
            }
            try await Task.sleep(for: startPause)
        }
    }

    private static let (startTime, startPause) = (Duration.seconds(5), Duration.milliseconds(250))

    /// Whether the device answers U2F_VERSION.
    func answersU2F() async -> Bool {
        let version = try? await u2f?.answerU2F(U2FRequest(instruction: .version).encoded)
        return version.flatMap(ResponseAPDU.init(parsing:))?.status == .noError
    }
}
