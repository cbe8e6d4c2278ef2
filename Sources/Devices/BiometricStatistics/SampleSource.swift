public import Biometrics

/// Draws the next sample at a sensor; the same seed always gives the same samples.
public struct SampleSource: Sendable {
    /// The subject of the samples.
    public enum Subject: String, Hashable, Sendable, Codable, CaseIterable {
        /// The enrolled user.
        case genuine
        /// A zero-effort impostor (ISO/IEC 19795-1).
        case impostor
    }

    /// A sample and its duration.
    public struct Sample: Hashable, Sendable {
        /// The sensor's result.
        public let act: GateAct
        /// The duration.
        public let latency: Duration
    }

    private let goodDay: Chances
    private let badDay: Chances?
    private let worsening: UInt64
    private let recovery: UInt64
    private var random: SplitMix64
    /// Whether the prompt is on a bad day.
    public private(set) var isBadDay: Bool

    /// Creates a source of one subject's samples.
    public init(_ model: RecognitionModel, of subject: Subject, seed: UInt64) {
        random = SplitMix64(seed: seed)
        isBadDay = false
        switch subject {
        case .genuine:
            goodDay = Chances(rejecting: model.goodDay.falseRejectRate, on: model.goodDay)
            badDay = model.badDays.map { Chances(rejecting: $0.day.falseRejectRate, on: $0.day) }
            worsening = Self.threshold(model.chanceOfBadDay)
            recovery = Self.threshold(model.chanceOfRecovery)
        case .impostor:
            goodDay = Chances(rejecting: 1 - model.falseAcceptRate, on: model.goodDay)
            badDay = nil
            worsening = 0
            recovery = 0
        }
    }

    /// Begins the next prompt, which may be on another kind of day.
    public mutating func beginPrompt() {
        guard badDay != nil else { return }
        isBadDay = isBadDay ? random.next() >= recovery : random.next() < worsening
    }

    /// Draws the next sample.
    public mutating func next() -> Sample {
        let chances = isBadDay ? badDay ?? goodDay : goodDay
        let latency = chances.latency(&random)
        if random.next() < chances.failureToAcquire { return Sample(act: .badCapture(.partial), latency: latency) }
        return Sample(act: random.next() < chances.rejection ? .nonMatch : .match(), latency: latency)
    }

    /// Shares as thresholds of a 64-bit number: one comparison each.
    private struct Chances: Sendable {
        let rejection: UInt64
        let failureToAcquire: UInt64
        let minimum: Duration
        let spread: Duration

        init(rejecting rate: Double, on day: RecognitionModel.Day) {
            rejection = SampleSource.threshold(rate)
            failureToAcquire = SampleSource.threshold(day.failureToAcquireRate)
            minimum = day.latency.lowerBound
            spread = day.latency.upperBound - day.latency.lowerBound
        }

        func latency(_ random: inout SplitMix64) -> Duration {
            spread == .zero ? minimum : minimum + spread * (Double(random.next() >> 11) * 0x1p-53)
        }
    }

    /// The 64-bit threshold for a share.
    private static func threshold(_ share: Double) -> UInt64 { share >= 1 ? .max : UInt64(max(0, share) * 0x1p64) }
}
