package import Biometrics
package import CTAP
internal import DeviceProfiles
internal import Foundation
package import VirtualAuthenticator

/// A user whose samples have the latency of the sensor.
///
/// Latency is drawn from the environment's random source and passes on the environment's clock. A sample due after the
/// prompt's deadline arrives at the deadline.
package struct DelayedUser: User {
    private let person: any User
    private let latencies: [BiometricModality: SensorLatency]
    private let time: any TimeSource
    private let random: any RandomSource
    private let waitUntil: @Sendable (Duration) async -> Void

    /// - Parameter waitUntil: returns at a time of the device's clock, or when the task is cancelled.
    package init(
        _ person: any User, latencies: [BiometricModality: SensorLatency], time: any TimeSource,
        random: any RandomSource, waitUntil: @escaping @Sendable (Duration) async -> Void
    ) {
        (self.person, self.latencies, self.time, self.random) = (person, latencies, time, random)
        self.waitUntil = waitUntil
    }

    package func confirm(_ prompt: PresencePrompt) async -> PresenceAnswer { await person.confirm(prompt) }

    package func verify(_ prompt: VerificationPrompt) async -> GateAct {
        let act = await person.verify(prompt)
        guard prompt.stage == .sensing, act.sample != nil, let modality = act.modality ?? prompt.modality,
            let latency = latencies[modality]
        else { return act }
        await waitUntil(min(prompt.deadline, time.now() + latency.draw(from: random)))
        return act
    }

    package func enrol(_ prompt: EnrolmentPrompt) async -> EnrollSampleStatus { await person.enrol(prompt) }

    package func choose(_ prompt: AccountPrompt) async -> Int? { await person.choose(prompt) }

    package func tapsAgain() async -> Bool { await person.tapsAgain() }
}

extension DeviceProfile {
    var latencies: [BiometricModality: SensorLatency] { sensors.reduce(into: [:]) { $0[$1.modality] = $1.latency } }
}

extension SensorLatency {
    /// Whether any latency is greater than zero.
    var takesTime: Bool {
        switch self {
        case .fixed(let span): span > .zero
        case .uniform(_, let longest): longest > .zero
        case .normal(let mean, let deviation, let floor): max(mean, deviation, floor) > .zero
        }
    }

    /// A random latency, in whole microseconds.
    func draw(from random: any RandomSource) -> Duration {
        switch self {
        case .fixed(let span): return span
        case .uniform(let shortest, let longest):
            return shortest + Self.span((longest - shortest) / .seconds(1) * random.fraction())
        case .normal(let mean, let deviation, let floor):
            // Box–Muller transform; 1 - fraction avoids the logarithm of 0.
            let radius = (-2 * log(1 - random.fraction())).squareRoot()
            let deviates = radius * cos(2 * .pi * random.fraction())
            return max(floor, .zero, mean + Self.span(deviation / .seconds(1) * deviates))
        }
    }

    private static func span(_ seconds: Double) -> Duration { .microseconds(Int64((seconds * 1_000_000).rounded())) }
}

extension RandomSource {
    /// A number in 0..<1 with the 53 bits of a Double's significand.
    fileprivate func fraction() -> Double {
        let bits = bytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Double(bits >> 11) / Double(UInt64(1) << 53)
    }
}
