package import BiometricStatistics
package import Biometrics
package import CTAP
package import DeviceProfiles
internal import Synchronization
package import VirtualAuthenticator

/// A user whose samples follow a statistical model of the sensor's errors, and who agrees to everything else.
///
/// An impostor cancels a prompt for the device credential. A sample has the sensor's latency of the profile; default:
/// the model's.
package final class StatisticalUser: User {
    /// The model and the subject of the samples.
    package struct Plan: Hashable, Sendable {
        package var model: RecognitionModel
        package var subject: SampleSource.Subject
        package var seed: UInt64

        package init(_ model: RecognitionModel, subject: SampleSource.Subject = .genuine, seed: UInt64) {
            self.model = model
            self.subject = subject
            self.seed = seed
        }
    }

    private let source: Mutex<SampleSource>
    private let samples = Atomic(0)
    private let subject: SampleSource.Subject
    private let timedSensors: Set<BiometricModality>
    private let time: any TimeSource
    private let waitUntil: @Sendable (Duration) async -> Void
    private let agreeable = ConsentingUser()

    /// - Parameter waitUntil: returns at a time of the device's clock, or when the task is cancelled.
    package init(
        _ plan: Plan, at profile: DeviceProfile, time: any TimeSource,
        waitUntil: @escaping @Sendable (Duration) async -> Void
    ) {
        source = Mutex(SampleSource(plan.model, of: plan.subject, seed: plan.seed))
        subject = plan.subject
        timedSensors = Set(profile.sensors.filter { $0.latency?.takesTime == true }.map(\.modality))
        self.time = time
        self.waitUntil = waitUntil
    }

    /// Whether a prompt got a sample of the model.
    package var hasGivenSample: Bool { samples.load(ordering: .relaxed) > 0 }

    package func verify(_ prompt: VerificationPrompt) async -> GateAct {
        switch prompt.stage {
        case .sensing:
            samples.add(1, ordering: .relaxed)
            let sample = source.withLock { source in
                if prompt.attempt == 1 { source.beginPrompt() }
                return source.next()
            }
            let isTimed = (sample.act.modality ?? prompt.modality).map(timedSensors.contains) ?? false
            if !isTimed { await waitUntil(min(time.now() + sample.latency, prompt.deadline)) }
            return sample.act
        case .deviceCredential where subject == .impostor: return .cancelByUser
        default: return await agreeable.verify(prompt)
        }
    }

    package func confirm(_ prompt: PresencePrompt) async -> PresenceAnswer { await agreeable.confirm(prompt) }

    package func enrol(_ prompt: EnrolmentPrompt) async -> EnrollSampleStatus { await agreeable.enrol(prompt) }

    package func choose(_ prompt: AccountPrompt) async -> Int? { await agreeable.choose(prompt) }
}
