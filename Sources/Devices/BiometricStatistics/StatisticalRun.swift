public import Biometrics

/// Plays one user's samples at a gate, prompt after prompt, and counts the outcomes.
///
/// The user gives samples until the prompt ends or the user gives up, waits for the end of a timed lockout, and enters
/// the device credential after a permanent one. An impostor cannot enter it; the next impostor starts with the initial
/// gate.
public struct StatisticalRun: Sendable {
    /// The gate before the first sample; the enrolled user is the genuine user.
    public var gate: UserVerificationGate
    /// The sensor's error model.
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
    /// - Throws: ``StatisticalRunError`` for a sensor that cannot verify.
    public init(
        gate: UserVerificationGate, model: RecognitionModel, subject: SampleSource.Subject, seed: UInt64,
        patience: Int? = nil
    ) throws(StatisticalRunError) {
        (self.gate, self.model, self.subject, self.seed, self.patience) = (gate, model, subject, seed, patience)
        var probe = gate
        switch probe.begin(gate.measuredPrompt, at: .zero).step {
        case .sensing: break
        case .refused(let refusal): throw .cannotSense(refusal)
        default: throw .promptIsOpen
        }
    }

    /// Plays until the sensor has compared this number of samples.
    public func play(attempts: Int) -> RunTally {
        var play = Play(run: self)
        while play.tally.attempts < attempts { play.prompt() }
        play.closeCluster()
        return play.tally
    }

    /// Plays this number of a user's days, and counts the days with an error.
    ///
    /// - Parameters:
    ///   - days: the number of days, 0 or more.
    ///   - promptsPerDay: the number of prompts on each day, 1 or more.
    public func play(days: Int, promptsPerDay: Int) -> DayTally {
        var play = Play(run: self)
        var tally = DayTally()
        for day in 1...max(1, days) {
            let before = play.tally
            for _ in 0..<max(1, promptsPerDay) { play.prompt() }
            tally.add(
                failed: play.tally.prompts - before.prompts > play.tally.verified - before.verified,
                timed: play.tally.timedLockouts > before.timedLockouts,
                permanent: play.tally.permanentLockouts > before.permanentLockouts)
            if day.isMultiple(of: DayTally.daysPerCluster) { tally.closeCluster() }
        }
        return tally
    }
}

/// The reason a gate cannot be measured.
public enum StatisticalRunError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The sensor cannot verify: it is missing or locked, or no template is enrolled.
    case cannotSense(GateFailure)
    /// A prompt is already open.
    case promptIsOpen
    /// Failures never end a prompt: neither attempts nor a lockout nor patience limit them.
    case endlessPrompts

    /// A sentence for the user.
    public var description: String {
        switch self {
        case .cannotSense(let refusal): "the sensor cannot verify the user: \(refusal.cause)"
        case .promptIsOpen: "a prompt is already open"
        case .endlessPrompts:
            "no number of failures ends a prompt; set the number of rejections after which the user gives up (patience)"
        }
    }
}

/// The counts of a run.
public struct RunTally: Hashable, Sendable {
    /// Samples given, including those that could not be compared.
    public internal(set) var samples = 0
    /// Samples compared.
    public internal(set) var attempts = 0
    /// Samples compared that matched.
    public internal(set) var matches = 0
    /// Prompts that opened.
    public internal(set) var prompts = 0
    /// Prompts that verified.
    public internal(set) var verified = 0
    /// Timed lockouts.
    public internal(set) var timedLockouts = 0
    /// Permanent lockouts.
    public internal(set) var permanentLockouts = 0
    /// Prompts that required the device credential because of a time limit.
    public internal(set) var credentialDemands = 0

    /// The rates' errors and trials over spells of bad and good days.
    var acquisitionFailures = ClusterSums()
    var rejections = ClusterSums()
    var failures = ClusterSums()
    var timed = ClusterSums()
    var permanent = ClusterSums()

    /// Samples that could not be compared.
    public var failuresToAcquire: Int { samples - attempts }
}

/// The state of a run.
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

    /// Plays one prompt, with the wait or the device credential that must precede it.
    mutating func prompt() {
        let wasBad = source.isBadDay
        source.beginPrompt()
        // Each bad day begins an independent spell.
        if source.isBadDay, !wasBad { closeCluster() }
        guard begin() else { return }
        tally.prompts += 1
        var rejected = 0
        while true {
            let sample = source.next()
            clock += sample.latency
            tally.samples += 1
            switch sample.act {
            case .sample(.badCapture, _): break
            case .sample(.match, _):
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
            case .tryAgain, .paused:
                if let patience = run.patience, rejected >= patience {
                    _ = gate.present(.cancelByUser, at: clock)
                    clock += run.pause
                    return
                }
                if gate.stage == .paused { _ = gate.present(.tryAgain, at: clock) }
            default: break
            }
        }
    }

    /// Opens a prompt: waits for a lockout's end, or enters the device credential.
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
        // The credential does not unlock the sensor: continue with a fresh device.
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
            // Without a device credential, retries are restored as by a security key's PIN.
            _ =
                gate.deviceCredential == nil
                ? gate.refill(at: clock) : gate.enterDeviceCredential(correct: true, at: clock)
        }
    }

    /// Adds the finished spell to the sums.
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
    /// The measured prompt: an app's, or the lock screen's for a sensor that apps cannot use.
    fileprivate var measuredPrompt: PromptOptions {
        PromptOptions(allowsDeviceCredential: false, purpose: sensor?.strengthClass == .class1 ? .unlock : .app)
    }
}
