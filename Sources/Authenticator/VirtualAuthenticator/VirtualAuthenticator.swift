internal import Attestation
public import Biometrics
internal import CBOR
public import CTAP
internal import Causes
internal import WebAuthn

/// An authenticator in software: the same commands, checks and answers as a security key or a phone.
///
/// It is a state machine: a request and the state give an answer and the next state. All external inputs come from the
/// ``Environment``. It waits only for the user, a ``User``. One request is served at a time; a second one is answered
/// `CHANNEL_BUSY`.
public actor VirtualAuthenticator: CTAPDevice, PowerCyclable {
    /// The fixed properties.
    public nonisolated let configuration: AuthenticatorConfiguration
    /// The clock, randomness, user and storage.
    public nonisolated let environment: Environment

    var state: AuthenticatorState
    /// The highest value of the global counter that storage allows before the next write.
    var reservedCounter: UInt32
    var attestationMaker: AttestationMaker?
    /// The gate's open prompt.
    var openPrompt: OpenPrompt?
    var faults: ArmedFaults<AuthenticatorFault> { didSet { hasFaults = !faults.isEmpty } }
    /// Whether a fault is active: each command asks several times, and generic code takes longer to answer.
    private(set) var hasFaults: Bool
    var faultMemory = FaultMemory()
    /// BS of new credentials; nil means the model's own.
    var newCredentialsBackedUp: Bool?
    /// Whether BS of new credentials needs BE (WebAuthn L3 §6.1.3).
    var newCredentialsAreConsistent = true
    var arrivalDelay: Duration
    /// The times at which hidden credentials become visible, by ID.
    var arrivals: [[UInt8]: Duration] = [:]
    var openedCredentials = OpenedCredentials()
    var hiddenInfoKeys: [InfoMember: HiddenInfoKey] = [:]
    /// The number of the command being served; a power cycle ends it.
    private var running: UInt64?
    private var commandCount: UInt64 = 0
    /// The number of power cycles, by which a waiting command notices one.
    var powerCycles = 0

    /// A new device, in its initial state and just powered up; `faults` are active from the start.
    ///
    /// The gate has the sensors and templates; nil is for a device without built-in user verification.
    public init(
        configuration: AuthenticatorConfiguration, faults: [AuthenticatorFault] = [], environment: Environment,
        gate: UserVerificationGate? = nil
    ) {
        let settings = DeviceSettings.factory(configuration, environment.random, gate: gate)
        let state = AuthenticatorState(settings: settings, in: environment)
        self.init(configuration, faults, environment, state, arrivalDelay: .zero)
    }

    /// A stored device, just powered up; `faults` and the arrival delay (``setArrivalDelay(_:)``) hold from the start.
    ///
    /// - Throws: ``StoredAuthenticatorError`` when the stored state cannot be read.
    public init(
        configuration: AuthenticatorConfiguration, faults: [AuthenticatorFault] = [], environment: Environment,
        restoring stored: StoredAuthenticator, arrivalDelay: Duration = .zero
    ) throws(StoredAuthenticatorError) {
        var state = try Self.state(from: stored, in: environment)
        state.endPrompt(at: environment.time.now())
        state.pin.consecutiveMismatches = 0
        self.init(configuration, faults, environment, state, arrivalDelay: arrivalDelay)
    }

    private init(
        _ configuration: AuthenticatorConfiguration, _ faults: [AuthenticatorFault], _ environment: Environment,
        _ state: AuthenticatorState, arrivalDelay: Duration
    ) {
        self.configuration = configuration
        self.faults = ArmedFaults(faults)
        hasFaults = !faults.isEmpty
        self.environment = environment
        self.state = state
        reservedCounter = state.globalCounter
        self.arrivalDelay = arrivalDelay
        self.state.gate?.start(at: environment.time.now())
    }

    /// See ``AuthenticatorConfiguration/answersCTAP2``.
    public nonisolated var answersCTAP2: Bool { configuration.answersCTAP2 }

    nonisolated var now: Duration { environment.time.now() }

    func record(_ kind: @autoclosure () -> AuthenticatorEvent.Kind) {
        environment.record?(AuthenticatorEvent(at: now, kind: kind()))
    }

    /// Answers a request over an unnamed transport.
    public func transceive(
        _ message: [UInt8], onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void
    ) async -> [UInt8] {
        await transceive(message, RequestContext(onKeepalive: onKeepalive))
    }

    func transceive(_ message: [UInt8], _ request: RequestContext) async -> [UInt8] {
        await exclusively { await self.serve(message, request) } ?? [CTAPStatus.channelBusy.rawValue]
    }

    private func serve(_ message: [UInt8], _ request: RequestContext) async -> [UInt8] {
        let command = CTAPCommand(rawValue: message.first ?? 0)
        record(.request(command))
        do {
            let response = try await commitAfter(command) { () throws(Refusal) in
                try await self.answer(message, request)
            }
            record(.answer(command, .ok, nil))
            var answer = [CTAPStatus.ok.rawValue]
            if let response {
                answer.reserveCapacity(512)
                CBOR.append(response, to: &answer)
            }
            return answer
        } catch {
            record(.answer(command, error.status, error))
            return [error.status.rawValue]
        }
    }

    /// Runs a request of either protocol when none is running; nil when one is.
    func exclusively<Answer>(_ request: () async -> Answer) async -> Answer? {
        guard running == nil else { return nil }
        commandCount += 1
        let number = commandCount
        running = number
        // After a power cycle another command may be running by now.
        defer { if running == number { running = nil } }
        return await request()
    }

    /// Commits a command's changes before its answer; a refused command may have cost a retry.
    private func commitAfter(
        _ command: CTAPCommand, _ body: () async throws(Refusal) -> CBOR.Value?
    ) async throws(Refusal) -> CBOR.Value? {
        let response: CBOR.Value?
        do {
            response = try await body()
        } catch {
            try commit()
            throw error
        }
        try commit(erasing: command == .reset)
        return response
    }

    private func answer(_ message: [UInt8], _ request: RequestContext) async throws(Refusal) -> CBOR.Value? {
        guard let first = message.first else {
            throw Refusal(.invalidLength, RefusalReason("message", .messageEmpty, "CTAP 2.3 §8"))
        }
        try require(
            message.count <= configuration.maxMsgSize,
            else: Refusal(.requestTooLarge, RefusalReason("message", .messageTooLarge, "CTAP 2.3 §6.4, maxMsgSize")))
        let command = CTAPCommand(rawValue: first)
        guard answersCTAP2 else { throw Self.unknown(command) }
        // Any other command ends a run of assertions (CTAP 2.3 §6.3).
        if command != .getNextAssertion { state.session.pendingAssertions = nil }
        if !command.isCredentialManagement { state.session.pendingEnumerations = PendingEnumerations() }
        try applyFaults(toRequest: message)
        return try await carryOut(CommandContext(command, request), message)
    }

    private func carryOut(_ context: CommandContext, _ message: [UInt8]) async throws(Refusal) -> CBOR.Value? {
        let management = configuration.management
        let command = context.command
        switch command {
        case .makeCredential:
            return try await makeCredential(MakeCredentialRequest(cbor: try parameters(message)), context).cbor
        case .getAssertion:
            let options: CBOR.DecodingOptions = context.request.transport == .hybrid ? .hybrid : .ctap2
            return try await getAssertion(GetAssertionRequest(cbor: try parameters(message, options)), context).cbor
        case .getNextAssertion: return try getNextAssertion(context).cbor
        case .getInfo: return info(over: context.request.transport).cbor
        case .reset:
            try await reset(context)
            return nil
        case .clientPIN where supportsClientPINCommand:
            return try await clientPIN(ClientPINRequest(cbor: try parameters(message)), context).cbor
        case .credentialManagement where management.supportsCredentialManagement,
            .credentialManagementPreview
        where management.supportsCredentialManagementPreview || management.answersUnlistedPreview:
            return try credentialManagement(CredentialManagementRequest(cbor: try parameters(message)), context).cbor
        case .bioEnrollment, .bioEnrollmentPreview:
            guard let bio = bioEnrollmentConfiguration,
                command == .bioEnrollment ? !bio.answersOnlyPreview : bio.answersPreview || bio.answersOnlyPreview
            else { throw Self.unknown(command) }
            return try await bioEnrollment(BioEnrollmentRequest(cbor: try parameters(message)), bio, context).cbor
        case .largeBlobs:
            guard let capacity = configuration.largeBlobCapacity else { throw Self.unknown(command) }
            return try largeBlobs(LargeBlobsRequest(cbor: try parameters(message)), capacity: capacity, context).cbor
        case .config where !configSubcommands.isEmpty:
            try authenticatorConfig(AuthenticatorConfigRequest(cbor: try parameters(message)), context)
            return nil
        case .selection:
            try await selection(context)
            return nil
        default:
            throw Self.unknown(command)
        }
    }

    private static func unknown(_ command: CTAPCommand) -> Refusal {
        Refusal(
            .invalidCommand, RefusalReason("message", .unknownCommand, "CTAP 2.3 §8.1"),
            detail: "0x" + String(command.rawValue, radix: 16))
    }

    private func parameters(
        _ message: [UInt8], _ options: CBOR.DecodingOptions = .ctap2
    ) throws(Refusal) -> CBOR.Value {
        do {
            return try CBOR.decode(message, from: 1, options: options)
        } catch {
            throw Refusal(error)
        }
    }

    /// Takes the power away and gives it back; see `PowerCyclable`.
    public func powerCycle() {
        losePower()
        if state.gate?.policy.reactsToPowerCycles == true, let event = state.gate?.powerCycle(at: now) {
            record(.gate(event))
        }
        commitOutsideCommand()
    }

    /// Power-cycles without committing; the caller commits.
    func losePower() {
        powerCycles += 1
        running = nil
        if let event = state.endPrompt(at: now) { record(.gate(event)) }
        state.poweredUpAt = now
        state.session = PowerSession()
        state.pin.consecutiveMismatches = 0
        record(.powerCycled)
    }

    /// The refusal of a command that was waiting when the power was lost.
    static let powerLost = Refusal(
        .keepaliveCancel, RefusalReason("person", .systemCancelled, as: "powerLost", "CTAP 2.3 §11.2.9.1.5"))

    /// Waits for the user and sends keepalives; throws 0x2D when the platform cancelled or the power was lost.
    func waitForUser<Answer: Sendable>(
        _ request: RequestContext, _ ask: () async -> Answer
    ) async throws(Refusal) -> Answer {
        let powerCyclesBefore = powerCycles
        request.onKeepalive(.userPresenceNeeded)
        let answer = await ask()
        try require(powerCycles == powerCyclesBefore, else: Self.powerLost)
        try require(
            !Task.isCancelled,
            else: Refusal(
                .keepaliveCancel,
                RefusalReason("person", .appCancelled, as: "cancelledByPlatform", "CTAP 2.3 §11.2.9.1.5")))
        request.onKeepalive(.processing)
        return answer
    }
}
