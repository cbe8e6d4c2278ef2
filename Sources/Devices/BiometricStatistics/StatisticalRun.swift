public import Biometrics

/// Plays one user's samples at a gate, prompt after prompt, and counts the outcomes.
///
/// A person gives samples until the prompt ends, or until their patience does. What a lockout for a time closes they
/// wait for; what a lockout for good closes the device credential opens. An impostor cannot enter that: there the next
/// one begins, at the same device in its first state.
public struct StatisticalRun: Sendable {
    /// The gate before the first sample; the enrolled user is the genuine user.
    public var gate: UserVerificationGate
    /// How the sensor errs.
    public var model: RecognitionModel
    /// The source of the samples.
    public var subject: SampleSource.Subject
    /// The random seed.
    public var seed: UInt64
    /// The rejected samples after which the user gives up on a prompt; nil for the prompt's own limit.
    public var patience: Int?
    /// The pause between two prompts.
    public var pause = Duration.seconds(1)

    /// Describes a run.
    ///
    /// - Throws: ``StatisticalRunError`` for a gate that verifies nobody.
    public init(
        gate: UserVerificationGate, model: RecognitionModel, subject: SampleSource.Subject, seed: UInt64,
        patience: Int? = nil
    ) throws(StatisticalRunError) {
        self.gate = gate
        self.model = model
        self.subject = subject
        self.seed = seed
        self.patience = patience
        var probe = gate
        switch probe.begin(gate.measuredPrompt, at: .zero).step {
        case .sensing: break
        case .refused(let refusal): throw .cannotSense(refusal)
        default: throw .promptIsUp
        }
    }

    /// Plays until the sensor has compared so many samples.
    public func play(attempts: Int) -> RunTally {
        var play = Play(run: self)
        while play.tally.attempts < attempts { play.prompt() }
        play.closeCluster()
        return play.tally
    }
}

/// Why a gate cannot be measured.
public enum StatisticalRunError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The sensor verifies nobody: it is missing, nobody is enrolled, or it is locked.
    case cannotSense(GateFailure)
    /// A prompt is up already.
    case promptIsUp
    /// Nothing ends a prompt but a match or the time: neither a number of attempts nor a lockout nor a person's patience.
    case endlessPrompts

    /// A sentence for the user.
    public var description: String {
        switch self {
        case .cannotSense(let refusal): "the sensor verifies nobody: \(refusal.cause)"
        case .promptIsUp: "a prompt is up already"
        case .endlessPrompts:
            "no number of failures ends a prompt, neither by its attempts nor by a lockout; say how many rejections a person puts up with (patience)"
        }
    }
}

/// The counts of a run.
public struct RunTally: Hashable, Sendable {
    /// Samples given, those that could not be compared included.
    public internal(set) var samples = 0
    /// Samples compared.
    public internal(set) var attempts = 0
    /// Samples compared that matched.
    public internal(set) var matches = 0
    /// Prompts that came up.
    public internal(set) var prompts = 0
    /// Prompts that verified.
    public internal(set) var verified = 0
    /// Lockouts for a time.
    public internal(set) var timedLockouts = 0
    /// Lockouts for good.
    public internal(set) var permanentLockouts = 0
    /// How often a prompt had to wait for the device credential, which was due because of the time alone.
    public internal(set) var credentialDemands = 0

    /// Samples not compared by samples, rejections by attempts, failures by prompts, lockouts by prompts, over spells of bad and good days.
    var acquisitionFailures = ClusterSums()
    var rejections = ClusterSums()
    var failures = ClusterSums()
    var timed = ClusterSums()
    var permanent = ClusterSums()

    /// Samples that could not be compared.
    public var failuresToAcquire: Int { samples - attempts }
}

/// A run under way.
private struct Play {
    private let run: StatisticalRun
    private var gate: UserVerificationGate
    private var source: SampleSource
    private var clock = Duration.zero
    private var clusterStart = RunTally()
    private(set) var tally = RunTally()
    private let options: PromptOptions

    init(run: StatisticalRun) {
        self.run = run
        options = run.gate.measuredPrompt
        gate = run.gate
        source = SampleSource(run.model, of: run.subject, seed: run.seed)
    }

    /// One prompt, from whatever has to come before it to its end.
    mutating func prompt() {
        let wasBad = source.isBadDay
        source.beginPrompt()
        // The next bad day begins a spell that owes nothing to the one before.
        if source.isBadDay, !wasBad { closeCluster() }
        guard begin() else { return }
        tally.prompts += 1
        var rejected = 0
        while true {
            let sample = source.next()
            clock += sample.latency
            tally.samples += 1
            switch sample.act {
            case .badCapture: break
            case .match:
                tally.attempts += 1
                tally.matches += 1
            default: tally.attempts += 1
            }
            var event = gate.present(sample.act, at: clock)
            if event.counted { rejected += 1 }
            if case .confirmationRequired = event.step { event = gate.present(.confirm, at: clock) }
            switch event.step {
            case .ended(let outcome):
                end(outcome)
                clock += run.pause
                return
            case .stopped:
                if case .ended(let outcome) = gate.present(.giveUp, at: clock).step { end(outcome) }
                clock += run.pause
                return
            case .tryAgain:
                if let patience = run.patience, rejected >= patience {
                    _ = gate.present(.cancelByUser, at: clock)
                    clock += run.pause
                    return
                }
            default: break
            }
        }
    }

    /// Brings a prompt up: waits for a lockout's end, or enters the device credential.
    private mutating func begin() -> Bool {
        var isDueByTime = false
        for _ in 0..<4 {
            switch gate.begin(options, at: clock).step {
            case .sensing:
                if isDueByTime { tally.credentialDemands += 1 }
                return true
            case .refused(.lockedOut(let until)): clock = max(clock, until)
            case .refused(.strongAuthenticationDue(.time)):
                isDueByTime = true
                reopen()
            default: reopen()
            }
        }
        // A credential that does not open the sensor never will; a fresh device goes on in its place.
        gate = run.gate
        return false
    }

    private mutating func end(_ outcome: GateOutcome) {
        switch outcome {
        case .verified:
            tally.verified += 1
            if run.subject == .impostor { gate = run.gate }
        case .failed(.lockedOut): tally.timedLockouts += 1
        case .failed(.lockedOutPermanently), .failed(.strongAuthenticationDue(.failures)):
            tally.permanentLockouts += 1
            reopen()
        default: break
        }
    }

    private mutating func reopen() {
        switch run.subject {
        case .impostor: gate = run.gate
        case .genuine:
            // A device without a credential gets its retries back as a security key does from its PIN.
            _ =
                gate.deviceCredential == nil
                ? gate.refill(at: clock) : gate.enterDeviceCredential(correct: true, at: clock)
        }
    }

    /// Adds up the spell of days that is over.
    mutating func closeCluster() {
        let samples = tally.samples - clusterStart.samples
        let attempts = tally.attempts - clusterStart.attempts
        let prompts = tally.prompts - clusterStart.prompts
        tally.acquisitionFailures.add(errors: samples - attempts, trials: samples)
        tally.rejections.add(errors: attempts - (tally.matches - clusterStart.matches), trials: attempts)
        tally.failures.add(errors: prompts - (tally.verified - clusterStart.verified), trials: prompts)
        tally.timed.add(errors: tally.timedLockouts - clusterStart.timedLockouts, trials: prompts)
        tally.permanent.add(errors: tally.permanentLockouts - clusterStart.permanentLockouts, trials: prompts)
        clusterStart = tally
    }
}

extension UserVerificationGate {
    /// The prompt whose rates are measured: an app's, or where the sensor is not offered to apps, the lock screen's.
    fileprivate var measuredPrompt: PromptOptions {
        PromptOptions(allowsDeviceCredential: false, purpose: sensor?.strengthClass == .class1 ? .unlock : .app)
    }
}
