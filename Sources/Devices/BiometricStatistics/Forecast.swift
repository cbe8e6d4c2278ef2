internal import Biometrics

/// The long-run rates calculated from a model and the rules of a gate.
///
/// The kind of day and the failures in a row form a Markov chain from prompt to prompt; the rates follow from its
/// stationary distribution. Assumes that prompts do not time out and that only lockouts require the device credential.
public struct Forecast: Hashable, Sendable, Codable {
    /// The share of all samples that cannot be compared.
    public let failureToAcquire: Double
    /// The share of compared samples that match.
    public let matchByAttempt: Double
    /// The share of compared samples that do not match.
    public let rejectionByAttempt: Double
    /// The share of prompts that verify.
    public let verificationByPrompt: Double
    /// The share of prompts that do not verify.
    public let failureByPrompt: Double
    /// Timed lockouts per prompt.
    public let timedLockouts: Double
    /// Permanent lockouts per prompt.
    public let permanentLockouts: Double

    /// The share of attacks that succeed, if each continues until a permanent lockout; 0 if neither occurs.
    public var verificationByAttack: Double { verificationByPrompt.share(of: verificationByPrompt + permanentLockouts) }

    /// Calculates the rates of a genuine user or an impostor.
    ///
    /// - Throws: ``StatisticalRunError/endlessPrompts`` for rules under which failures never end a prompt.
    public init(
        _ model: RecognitionModel, of subject: SampleSource.Subject, under rules: LockoutRules
    ) throws(StatisticalRunError) {
        guard rules.endEveryPrompt else { throw .endlessPrompts }
        let chain = Chain(model, of: subject, under: rules)
        let shares = chain.stationaryShares()
        var sums = PromptExpectation()
        for (state, share) in zip(chain.states, shares) { sums.add(state.expectation, weight: share) }
        // Each share has its own sum; 1 - share would carry a rounding error.
        let attempts = sums.matches + sums.rejections
        let prompts = sums.verified + sums.failed
        failureToAcquire = sums.unacquired.share(of: sums.unacquired + attempts)
        matchByAttempt = sums.matches.share(of: attempts)
        rejectionByAttempt = sums.rejections.share(of: attempts)
        verificationByPrompt = sums.verified.share(of: prompts)
        failureByPrompt = sums.failed.share(of: prompts)
        timedLockouts = sums.timedLockouts.share(of: prompts)
        permanentLockouts = sums.permanentLockouts.share(of: prompts)
    }
}

extension Double {
    /// The share of a whole; 0 if the whole is 0.
    fileprivate func share(of whole: Double) -> Double { whole > 0 ? self / whole : 0 }
}

/// The expected outcome of one prompt.
private struct PromptExpectation {
    var unacquired = 0.0
    var matches = 0.0
    var rejections = 0.0
    var verified = 0.0
    var failed = 0.0
    var timedLockouts = 0.0
    var permanentLockouts = 0.0

    mutating func add(_ other: PromptExpectation, weight: Double) {
        unacquired += other.unacquired * weight
        matches += other.matches * weight
        rejections += other.rejections * weight
        verified += other.verified * weight
        failed += other.failed * weight
        timedLockouts += other.timedLockouts * weight
        permanentLockouts += other.permanentLockouts * weight
    }
}

/// The chain of prompts; a state is the kind of day and the failures in a row.
private struct Chain {
    /// A prompt on a kind of day after a number of failures in a row.
    struct State {
        var expectation = PromptExpectation()
        /// The probability of each number of failures in a row after it.
        var failuresAfter: [Double]
    }

    /// The states by day, good days first, then by failures in a row.
    private(set) var states: [State] = []
    private let failureStates: Int
    private let worsening: Double
    private let recovery: Double

    init(_ model: RecognitionModel, of subject: SampleSource.Subject, under rules: LockoutRules) {
        failureStates = rules.distinctRows
        let isGenuine = subject == .genuine
        worsening = isGenuine ? model.chanceOfBadDay : 0
        recovery = model.chanceOfRecovery
        var days = [(isGenuine ? model.goodDay.falseRejectRate : 1 - model.falseAcceptRate, model.goodDay)]
        if isGenuine, let bad = model.badDays { days.append((bad.day.falseRejectRate, bad.day)) }
        for (rejection, day) in days {
            let chances = SampleChances(rejection: rejection, day: day, badCaptureCounts: rules.badCaptureCounts)
            for failures in 0..<failureStates { states.append(Self.prompt(after: failures, chances, rules)) }
        }
    }

    /// The expectation of one prompt over all its outcomes.
    private static func prompt(after failures: Int, _ chances: SampleChances, _ rules: LockoutRules) -> State {
        var state = State(failuresAfter: Array(repeating: 0, count: rules.distinctRows))
        var reached = 1.0
        var row = failures
        var inPrompt = 0
        // Less probable continuations are negligible.
        while reached > 1e-18 {
            state.expectation.unacquired += reached * chances.samplesPerMove * chances.failureToAcquire
            state.expectation.matches += reached * chances.match
            state.expectation.rejections += reached * chances.rejection
            state.expectation.verified += reached * chances.match
            state.failuresAfter[0] += reached * chances.match
            reached *= 1 - chances.match
            row += 1
            inPrompt += 1
            switch rules.effect(ofFailure: row) {
            case .permanent:
                state.expectation.failed += reached
                state.expectation.permanentLockouts += reached
                state.failuresAfter[0] += reached
                return state
            case .timed:
                state.expectation.failed += reached
                state.expectation.timedLockouts += reached
                state.failuresAfter[rules.lockout.expiryClearsCount ? 0 : rules.row(row)] += reached
                return state
            case .none: break
            }
            if let limit = rules.attemptsPerPrompt, inPrompt == limit {
                state.expectation.failed += reached
                state.failuresAfter[rules.row(row)] += reached
                return state
            }
            row = rules.row(row)
        }
        return state
    }

    /// The long-run share of prompts that begin in each state.
    func stationaryShares() -> [Double] {
        let days = states.count / failureStates
        let badShare = days == 1 ? 0 : worsening / (worsening + recovery)
        var shares = Array(repeating: 0.0, count: states.count)
        shares[0] = 1 - badShare
        if days == 2 { shares[failureStates] = badShare }
        for _ in 0..<1_000_000 {
            // Half steps: a periodic chain would not converge otherwise.
            let next = zip(shares, step(shares)).map { ($0 + $1) / 2 }
            let change = zip(shares, next).reduce(0) { $0 + ($1.0 - $1.1).magnitude }
            shares = next
            if change < 1e-15 { break }
        }
        return shares
    }

    private func step(_ shares: [Double]) -> [Double] {
        var next = Array(repeating: 0.0, count: shares.count)
        for (index, share) in shares.enumerated() where share > 0 {
            let isBad = index >= failureStates
            for (row, chance) in states[index].failuresAfter.enumerated() where chance > 0 {
                let change = isBad ? recovery : worsening
                next[row] += share * chance * (isBad ? change : 1 - change)
                if states.count > failureStates {
                    next[failureStates + row] += share * chance * (isBad ? 1 - change : change)
                }
            }
        }
        return next
    }
}

/// The probabilities of one move: samples up to the first that matches or counts as a failure.
private struct SampleChances {
    let match: Double
    let rejection: Double
    /// The expected number of samples.
    let samplesPerMove: Double
    /// The share of samples that are not compared.
    let failureToAcquire: Double

    init(rejection rate: Double, day: RecognitionModel.Day, badCaptureCounts: Bool) {
        failureToAcquire = day.failureToAcquireRate
        let acquisition = 1 - failureToAcquire
        // If bad captures are not failures, every move is a comparison.
        let compared = badCaptureCounts ? acquisition : 1
        match = compared * (1 - rate)
        rejection = compared * rate
        samplesPerMove = badCaptureCounts ? 1 : 1 / acquisition
    }
}
