public import BiometricStatistics
public import Biometrics
public import CTAP
internal import Synchronization
public import VirtualAuthenticator

/// A person whose samples come out as a model of the sensor's errors has it, and who agrees to everything else.
///
/// An impostor touches and chooses like anybody; the device credential they do not know, and turn away. A sample takes
/// the sensor's own time where the profile has one, and the model's otherwise.
public final class StatisticalPerson: Person {
    /// How the samples come out, and whose they are.
    public struct Plan: Hashable, Sendable {
        /// How the sensor errs.
        public var model: RecognitionModel
        /// Whose samples they are.
        public var subject: SampleSource.Subject
        /// What they follow from.
        public var seed: UInt64

        /// Describes a person.
        public init(_ model: RecognitionModel, subject: SampleSource.Subject = .genuine, seed: UInt64) {
            self.model = model
            self.subject = subject
            self.seed = seed
        }
    }

    private let source: Mutex<SampleSource>
    private let subject: SampleSource.Subject
    private let timedSensors: Set<BiometricModality>
    private let time: any TimeSource
    private let waitUntil: @Sendable (Duration) async -> Void
    private let agreeable = AgreeablePerson()

    /// - Parameters:
    ///   - profile: the device's.
    ///   - time: the device's clock.
    ///   - waitUntil: returns at a time of that clock, or when the task is cancelled; a sample takes its time.
    public init(
        _ plan: Plan, at profile: DeviceProfile, time: any TimeSource,
        waitUntil: @escaping @Sendable (Duration) async -> Void
    ) {
        source = Mutex(SampleSource(plan.model, of: plan.subject, seed: plan.seed))
        subject = plan.subject
        timedSensors = Set(profile.sensors.filter { $0.latency?.takesTime == true }.map(\.modality))
        self.time = time
        self.waitUntil = waitUntil
    }

    public func verify(_ prompt: VerificationPrompt) async -> GateAct {
        switch prompt.stage {
        case .sensing:
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

    public func confirm(_ prompt: PresencePrompt) async -> PresenceAnswer { await agreeable.confirm(prompt) }

    public func enrol(_ prompt: EnrolmentPrompt) async -> EnrollSampleStatus { await agreeable.enrol(prompt) }

    public func choose(_ prompt: AccountPrompt) async -> Int? { await agreeable.choose(prompt) }
}
