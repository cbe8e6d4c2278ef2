internal import CTAP
internal import CTAPNFC
internal import Conformance
internal import Machine
internal import SimulatedDevice
internal import Synchronization
internal import VirtualAuthenticator

extension AuthenticatorBench {
    /// Takes the power away and gives it back; a person is asked to replug a real key.
    ///
    /// - Throws: `CaseStop` where nothing can, or where it fails.
    package func powerCycle() async throws {
        guard let cycle = link.powerCycle else {
            throw CaseStop.notRun("the bench cannot take the power of the key away")
        }
        if link.replugs { try instruct(.replug) }
        recorder?.record(CaseExchange(sent: ["power off and on"], received: []))
        do {
            try await cycle()
        } catch {
            let failure = "the power cycle failed: \(error)"
            throw settings.replug == nil ? CaseStop.notRun(failure) : machineFailed(failure)
        }
        state.withLock { $0.isFresh = settings.comparison == nil }
        if state.withLock(\.needsInfoFirst) { try await renewInfo() }
    }

    /// Takes the power of the card away and gives it back; no application is selected afterwards.
    func restartCard() async throws {
        guard let restart = link.restartCard else { throw CaseStop.notRun("the device is not reached by NFC") }
        recorder?.record(CaseExchange(sent: ["card off and on"], received: []))
        try await restart()
    }

    /// Sends the messages of an act to the card, newly laid on its reader.
    ///
    /// - Throws: `CaseStop` where the device is not reached by NFC, and the act's errors.
    func overNFC(_ act: () async throws -> Void) async throws {
        try await restartCard()
        guard let apdus = link.apdus else { throw CaseStop.notRun("the device is not reached by NFC") }
        let client = try await NFCClient.select(over: apdus)
        state.withLock { $0.route = client }
        defer { state.withLock { $0.route = nil } }
        try await act()
    }

    /// Resets the authenticator: no PIN, no credentials, settings as they left the factory.
    ///
    /// - Parameter hasState: whether the state whose erasure is under test outlived the power cycle before the reset.
    /// - Throws: `CaseStop` where the reset is not allowed or refused, or would erase nothing.
    package func freshDevice(erasing hasState: (() async throws -> Bool)? = nil) async throws {
        guard mayChange else { throw CaseStop.notRun("only --destructive erases the key") }
        if link.powerCycle != nil { try await powerCycle() }
        if let hasState, try await !hasState() {
            throw CaseStop.notRun("the state is gone after the power cycle before the reset")
        }
        let answer = try await send(.reset)
        guard answer.status == .ok else {
            throw CaseStop.notRun("the reset of the key was refused with \(answer.seen)")
        }
        wasReset()
        let keepsPIN = try await readInfo().option(.clientPin) == true
        state.withLock { $0.keepsPIN = keepsPIN }
    }

    /// Forgets the state that a reset erases; for cases that reset by themselves.
    ///
    /// The PIN is remembered, for a key that keeps it.
    package func wasReset() {
        state.withLock { state in
            state.shared = nil
            state.leftovers = []
        }
    }

    /// Brings the authenticator into a state without PIN and without an enrolled finger.
    package func unprotectedDevice() async throws {
        guard isProtected || has(.alwaysUv) else { return }
        try await freshDevice()
        if has(.clientPin) { throw CaseStop.pinAfterReset }
    }

    /// Lets time pass: at once for a simulated device.
    package func wait(_ span: Duration) async throws {
        guard let simulation = link.simulation else { return try await Task.sleep(for: span) }
        simulation.clock.advance(by: span)
    }

    /// The time since the Unix epoch: of the simulation's clock, or of the computer's.
    var now: Duration { link.simulation?.clock.now() ?? MachineClock.shared.now() }

    package func randomBytes(_ count: Int) -> [UInt8] { state.withLock { $0.randomness }.bytes(count) }
}

extension CaseStop {
    static let pinAfterReset = blocked("the key has a PIN after a reset, see reset.pin")
}
