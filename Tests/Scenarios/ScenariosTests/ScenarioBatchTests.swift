import Documents
import Foundation
import Scenarios
import Synchronization
import Testing

/// Several runs at the same time, and their reports.
@Suite("Runs at the same time")
struct ScenarioBatchTests {
    private static let text = """
        name: Sign in
        matrix:
          phone: [pixel-fingerprint, iphone-face-id, samsung-fingerprint]
          role: [peer-mentor, coordinator]
        devices: { phone: "${phone}" }
        steps:
          - create-account: ada
          - register: { requirements: A3, expect: { http: 201 } }
          - sign-out
          - sign-in: { person: [no-match, cancel], expect: { outcome: refused, failures: 1 } }
          - list-passkeys: { expect: { passkeys: 1 } }
        """

    private static func reports(
        jobs: Int, shard: Shard = .all, of text: String = text
    ) async throws -> [ScenarioReport] {
        let scenarios = try Scenario.runs(parsing: text, file: "s.yaml")
        let part = shard.part(of: scenarios.count)
        let runner = ScenarioRunner(profiles: ShippedScenarioTests.profiles, seed: 3, keepsTraces: true)
        return try await ScenarioBatch(jobs: jobs).run(shard.items(of: scenarios)) { item in
            try await runner.run(item.scenario, number: item.number, of: part)
        }
    }

    /// The reports as JSON, without the fields of real time.
    private static func json(_ reports: [ScenarioReport]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        return String(decoding: try encoder.encode(reports), as: UTF8.self)
            .replacing(/"realSeconds" : [-+.e0-9]+/, with: "")
    }

    @Test("The reports of one seed are the same bytes, however many runs are played at once, and in how many parts")
    func reportsAreTheSame() async throws {
        let whole = try Self.json(try await Self.reports(jobs: 1))
        #expect(whole.contains("samsung-fingerprint"))
        #expect(try Self.json(try await Self.reports(jobs: 4)) == whole)
        var parts: [(file: String, reports: [ScenarioReport])] = []
        for part in ["2/3", "3/3", "1/3"] {
            parts.append((part, try await Self.reports(jobs: 2, shard: try #require(Shard(part)))))
        }
        #expect(parts.map(\.reports.count) == [2, 2, 2])
        #expect(try Self.json(ReportFile.merge(parts)) == whole)
        #expect(throws: (any Error).self) { try ReportFile.merge(parts + [parts[0]]) }
    }

    /// A scenario of four runs, one of which the other tests' scenario also has.
    private static let brief = """
        name: NAME
        matrix: { phone: [pixel-fingerprint, iphone-face-id], role: [peer-mentor, coordinator] }
        devices: { phone: "${phone}" }
        steps:
          - create-account: ada
        """

    @Test("A missing part, a part given twice and parts of different runs are told apart")
    func wrongPartsAreRefused() async throws {
        func part(_ text: String, _ name: String) async throws -> ReportFile.File {
            let shard = try #require(Shard(text))
            let scenario = Self.brief.replacing("NAME", with: name)
            return ("\(text) \(name)", try await Self.reports(jobs: 1, shard: shard, of: scenario))
        }
        func problem(_ files: [ReportFile.File]) -> String {
            (#expect(throws: SourceError.self) { try ReportFile.merge(files) })?.message ?? ""
        }
        let parts = try await [part("1/3", "a"), part("2/3", "a"), part("3/3", "a")]
        #expect(try ReportFile.merge(parts).map(\.number) == [1, 2, 3, 4])
        #expect(try ReportFile.merge(parts)[0].part == Shard.all.part(of: 4))
        #expect(problem(Array(parts.prefix(2))) == "1 of 4 runs is missing; add part 3/3")
        #expect(problem([parts[2]]) == "3 of 4 runs are missing; add part 1/3, part 2/3")
        #expect(problem(parts + [parts[0]]).hasSuffix("is also in 1/3 a; give each part once"))
        let halves = try await part("1/2", "a")
        #expect(
            problem(parts + [halves])
                == "this and 1/3 a are not parts of one run: 4 runs in 2 parts here and 4 runs in 3 parts there; "
                + "run the same files and options with --shard")
        let wholes = try await [part("1/1", "a"), part("1/1", "b")]
        #expect(problem(wholes).hasPrefix("this and 1/1 a are not parts of one run: run 1 is b [phone=pixel-"))
        #expect(problem([("empty.json", [])]) == "there is no run to report")
    }

    @Test("A part is a number and a count", arguments: ["0/2", "3/2", "1", "a/b", "1/0", "-1/2", "1/2/3", ""])
    func wrongPartIsRefused(text: String) {
        #expect(Shard(text) == nil)
    }

    @Test("No more runs are played at once than asked for, and reports come in order")
    func jobsLimitRuns() async throws {
        let scenarios = try Scenario.runs(parsing: Self.text, file: "s.yaml")
        let first = try #require(Shard("1/6"))
        let report = try #require(try await Self.reports(jobs: 1, shard: first).first)
        let running = Mutex(0)
        let most = Mutex(0)
        var told = 0
        let reports = try await ScenarioBatch(jobs: 3).run(Shard.all.items(of: scenarios)) { item in
            let now = running.withLock {
                $0 += 1; return $0
            }
            most.withLock { $0 = max($0, now) }
            // The first one ends last.
            for _ in 0..<(item.number == 1 ? 500 : 1) { await Task.yield() }
            running.withLock { $0 -= 1 }
            return report
        } onReport: { _ in
            told += 1
        }
        #expect(reports.count == 6 && told == 6)
        #expect(most.withLock { $0 } <= 3)
    }

    @Test("The timeline has the entries of every side in the order in which they happened")
    func timelineIsInOrder() async throws {
        let report = try #require(try await Self.reports(jobs: 1).first)
        let step = try #require(report.steps.first { $0.name.hasPrefix("signs in") })
        let lanes = step.timeline.map(\.lane)
        #expect(lanes.first == .user)
        #expect(lanes.last == .screen)
        let begin = try #require(step.timeline.firstIndex { $0.text.contains("authenticate/begin") })
        let request = try #require(
            step.timeline.firstIndex { $0.lane == .ctap && $0.text == "→ ClientPIN" })
        let sample = try #require(step.timeline.firstIndex { $0.lane == .sensor })
        #expect(begin < request && request < sample)
        #expect(zip(step.timeline, step.timeline.dropFirst()).allSatisfy { $0.time <= $1.time })
        #expect(report.trace?.contains { $0.contains("ClientPIN") } == true)
    }
}
