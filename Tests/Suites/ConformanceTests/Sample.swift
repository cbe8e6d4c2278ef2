import Conformance
import Synchronization

/// A subject whose behaviour a test chooses.
final class SampleBench: ConformanceBench {
    enum Need: Sendable, CustomStringConvertible {
        case wings, legs

        var description: String {
            switch self {
            case .wings: "wings"
            case .legs: "legs"
            }
        }
    }

    struct Gone: Error {}

    private let performed = Mutex<[String]>([])
    private let states: Mutex<[SubjectState]>
    let isGoneAt: String?

    /// - Parameters:
    ///   - isGoneAt: the case before which the subject does not answer.
    ///   - states: the answers to the first questions for its state; later ones find it sound.
    init(isGoneAt: String? = nil, states: [SubjectState] = []) {
        self.isGoneAt = isGoneAt
        self.states = Mutex(states)
    }

    var log: [String] { performed.withLock { $0 } }

    func obstacle(to need: Need) -> CaseStop? {
        switch need {
        case .wings: .notApplicable("it has no wings")
        case .legs: nil
        }
    }

    func begin(_ description: CaseDescription, _ recorder: CaseRecorder) async throws {
        if description.id == isGoneAt { throw Gone() }
        performed.withLock { $0.append(description.id) }
        recorder.record(CaseExchange(sent: ["hello"], received: ["<script>"]))
    }

    func restored() async -> SubjectState { states.withLock { $0.isEmpty ? .sound : $0.removeFirst() } }

    func end(_ description: CaseDescription) async throws { performed.withLock { $0.append("end \(description.id)") } }
}

struct UnexpectedAnswer: Error {}

/// A suite with a case for each verdict.
enum Sample {
    static let clause = Clause.ctap("6.1.2", step: "12")

    static let official = OfficialTable(
        module: "Animals",
        [
            OfficialScript(
                "Walk-1", "Walking", OfficialScript.markers(2, 1), subjects: ["walk"],
                matches: [OfficialMatch("P-1", ["walk.fail"], .name)], gaps: ["F-1": "the ground is flat"]),
            OfficialScript("Swim-1", "Swimming", OfficialScript.markers(3), gap: "there is no water"),
        ])

    static let suite = ConformanceSuite<SampleBench>(
        "authenticator", official: official,
        [
            ConformanceGroup(
                "walk", "Walking",
                [
                    ConformanceCase("walk.pass", "A step succeeds.", clause, needs: [.legs]) { _, recorder in
                        recorder.expect(true, "a step", seen: "none")
                    },
                    ConformanceCase("walk.fail", "A jump succeeds.", .ctap("6.1.2", step: "3")) { _, recorder in
                        recorder.expect(false, "a jump", seen: "a \"fall\"\n& more")
                        recorder.expect(false, "an answer", seen: "silence", clause: .webauthn("7.1"))
                    },
                    ConformanceCase("walk.warn", "A run succeeds.", clause, level: .should) { _, recorder in
                        recorder.expect(false, "a run", seen: "a walk")
                    },
                    ConformanceCase("walk.require", "A walk goes on.", clause) { _, recorder in
                        try recorder.require(false, "a first step", seen: "none")
                        recorder.expect(false, "a second step", seen: "none")
                    },
                    ConformanceCase("walk.throws", "A walk ends.", clause) { _, _ in throw UnexpectedAnswer() },
                ]),
            ConformanceGroup(
                "fly", "Flying",
                [
                    ConformanceCase("fly.wings", "Wings beat.", clause, needs: [.wings]) { _, _ in },
                    ConformanceCase("fly.erase", "A fall hurts.", clause, effects: [.erases]) { _, _ in },
                    ConformanceCase("fly.person", "A person throws it.", clause, person: [.touch]) { _, _ in },
                    ConformanceCase("fly.unknown", "Weather decides.", clause) { _, _ in
                        throw CaseStop.notRun("the weather is not known")
                    },
                ]),
        ])

    static let subject = ConformanceSubject(
        title: "Sample", facts: ["aaguid": "00"], command: "touchstone conformance authenticator --device usb")

    static func run(_ bench: SampleBench = SampleBench(), profile: RunProfile? = nil) -> ConformanceRun<SampleBench> {
        var permission = RunPermission()
        permission.hasPerson = false
        return ConformanceRun(suite, on: bench, permission: permission, profile: profile) { .zero }
    }

    static func report(_ results: [CaseResult]) -> ConformanceReport {
        ConformanceReport(
            suite: suite.name, subject: subject, version: "1", profile: nil, results: results,
            cases: suite.cases.map(\.description))
    }
}
