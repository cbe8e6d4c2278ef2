import AuthenticatorSuite
import Conformance
import DeviceProfiles
import Foundation
import KeptAnswers
import KnownKeys
import ProfileFiles
import TestSupport
import Testing

/// The kept answers of known keys' virtual twins.
@Suite("Kept answers")
struct KeptAnswersTests {
    private static let profiles = ProfileLibrary(directory: PackageRoot.url.appending(path: "profiles").path)
    private static let library = KnownKeyLibrary(directory: PackageRoot.url.appending(path: "hardware/keys").path)
    private static let groups = AuthenticatorSuite.all.groups.map(\.name)

    /// Every fourth group, so that each group is performed on at least three twins.
    ///
    /// `touchstone conformance answers --check`
    /// performs all of them.
    private static func groups(ofTwin number: Int) -> [String] {
        groups.enumerated().filter { ($0.offset + number).isMultiple(of: 4) }.map(\.element)
    }

    @Test("Every known key with a profile of its name has kept answers to nearly all cases, and to no others")
    func covers() throws {
        let kept = KeptAnswers.shared
        #expect(kept.keys == (try TwinRun.keys(Self.library, Self.profiles)))
        #expect(kept.keys.count >= 13)
        let cases = Set(AuthenticatorSuite.all.cases.map(\.description.id))
        #expect(Set(kept.identifiers).subtracting(cases).sorted() == [])
        // A case that was added lately is compared from the next making of the file on.
        #expect(kept.identifiers.count * 20 >= cases.count * 19)
    }

    @Test("The kept answers are those that a twin gives", arguments: KeptAnswers.shared.keys.indices)
    func isCurrent(number: Int) async throws {
        let key = KeptAnswers.shared.keys[number]
        let kept = try #require(KeptAnswers.shared.answers(of: key))
        let start = ContinuousClock.now
        let fresh = try await TwinRun.answers(
            of: try Self.profiles.profile(key), groups: Self.groups(ofTwin: number)
        ) { start.duration(to: .now) }
        let changed = fresh.filter { id, answer in kept[id].map { $0 != answer } ?? false }
        #expect(changed == [:], "make them again: touchstone conformance answers --make")
        #expect(fresh.count > 100)
    }

    @Test("The text of the answers gives the same answers back")
    func roundTrip() throws {
        let sides = [
            "walk.pass": RunComparison.Side(verdict: .passed, seen: []),
            "walk.warn": RunComparison.Side(verdict: .warning, seen: ["a \"walk\"", "a run"]),
        ]
        let made = KeptAnswers(["one": sides, "two": ["walk.pass": RunComparison.Side(verdict: .failed, seen: ["x"])]])
        let read = try JSONDecoder().decode(KeptAnswers.self, from: Data(try made.text().utf8))
        #expect(read.answers(of: "one") == sides)
        #expect(read.answers(of: "two")?["walk.warn"]?.verdict == .notRun)
        #expect(read.answers(of: "three") == nil)
    }

    @Test("A run is compared with kept answers in the cases that both have and performed")
    func comparison() async throws {
        let report = Sample.report(try await Sample.run().results(of: CaseSelection()).results)
        let answers = [
            "walk.pass": RunComparison.Side(verdict: .failed, seen: ["a fall"]),
            "walk.warn": RunComparison.Side(verdict: .warning, seen: ["a walk"]),
            "fly.wings": RunComparison.Side(verdict: .notApplicable, seen: ["it has no feathers"]),
            "fly.unknown": RunComparison.Side(verdict: .passed, seen: []),
        ]
        let comparison = RunComparison(report, with: answers, of: KeptAnswers.subject("bird"))
        #expect(comparison.differences.map(\.id) == ["walk.pass"])
        #expect(comparison.rows.count == 3)
        #expect(comparison.left == 4)
        #expect(comparison.subjects.last?.title == "the known bird")
    }
}
