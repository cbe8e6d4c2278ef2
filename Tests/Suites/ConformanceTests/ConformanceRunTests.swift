import Conformance
import Documents
import Foundation
import TestSupport
import Testing

/// Runs of a suite and their verdicts.
@Suite("Conformance runs")
struct ConformanceRunTests {
    @Test("Each case gets the verdict that its steps lead to")
    func verdicts() async throws {
        let results = try await Sample.run().results(of: CaseSelection()).results
        let verdicts = results.map { "\($0.id) \($0.verdict.rawValue)" }
        #expect(
            verdicts == [
                "walk.pass passed", "walk.fail failed", "walk.warn warning", "walk.require failed",
                "walk.throws failed",
                "fly.wings not applicable", "fly.erase not run", "fly.person not run", "fly.unknown not run",
            ])
        #expect(results[1].deviations.count == 2)
        #expect(results[3].deviations.map(\.expected) == ["a first step"])
        #expect(results[4].deviations.first?.seen.contains("UnexpectedAnswer") == true)
        #expect(results[5].reason == "it has no wings")
        #expect(results[6].reason == "the case erases the key; --destructive allows it")
        #expect(results.map(\.exchanges.count) == [0, 1, 1, 1, 1, 0, 0, 0, 0])
    }

    @Test("The bench tidies up after every case that began")
    func endsEachCase() async throws {
        let bench = SampleBench()
        _ = try await Sample.run(bench).results(of: CaseSelection())
        let began = bench.log.filter { !$0.hasPrefix("end ") }
        #expect(bench.log == began.flatMap { [$0, "end \($0)"] })
        #expect(began.count == 6)
    }

    @Test("A case that fails at a subject in another state is performed again once the subject is restored")
    func restores() async throws {
        let bench = SampleBench(states: [.restored(by: "a nap")])
        let run = try await Sample.run(bench).results(of: CaseSelection())
        #expect(run.end == nil)
        #expect(bench.log.count { $0 == "walk.fail" } == 2)
        #expect(run.results.filter { $0.restoration != nil }.map(\.id) == ["walk.fail"])
        #expect(run.results[1].restoration == "a nap" && run.results[1].verdict == .failed)
        #expect(run.results.map(\.id) == Sample.suite.cases.map(\.description.id))
    }

    @Test("The cases after the one that lost the subject are not run, with that case in the reason")
    func losesSubject() async throws {
        for states in [[.lost("no answer")], [.restored(by: "a nap"), .lost("no answer")]] as [[SubjectState]] {
            let bench = SampleBench(states: states)
            var told: [String] = []
            let run = try await Sample.run(bench)
                .results(of: CaseSelection(), onResult: { result, _ in told.append(result.id) })
            #expect(run.end == .lost(since: "walk.fail", "no answer"))
            #expect(told == ["walk.pass", "walk.fail"])
            #expect(run.results.dropFirst(2).allSatisfy { $0.verdict == .notRun })
            #expect(
                run.results.last?.reason
                    == "the subject has been in this state since the case walk.fail: no answer")
            #expect(run.results.count == Sample.suite.cases.count)
        }
    }

    @Test("A case after which the subject is silent has no verdict, so that a later run performs it")
    func losesSubjectWithinCase() async throws {
        for (gone, bench) in [
            ("walk.fail", SampleBench(states: [.silent("unplugged")])),
            ("walk.fail", SampleBench(isGoneAt: "walk.fail", states: [.silent("unplugged")])),
            (
                "walk.throws",
                SampleBench(isGoneAt: "walk.throws", states: [.sound, .sound, .sound, .silent("unplugged")])
            ),
        ] {
            var told: [String] = []
            let run = try await Sample.run(bench)
                .results(of: CaseSelection(), onResult: { result, _ in told.append(result.id) })
            #expect(run.end == .lost(since: gone, "unplugged"))
            #expect(!told.contains(gone))
            let lost = try #require(run.results.first { $0.id == gone })
            #expect(lost.verdict == .notRun && lost.deviations.isEmpty)
            #expect(lost.reason?.hasSuffix("the case \(gone): unplugged") == true)
        }
    }

    @Test("A subject that cannot be prepared for a case does not fail it")
    func unprepared() async throws {
        let results = try await Sample.run(SampleBench(isGoneAt: "walk.pass")).results(of: CaseSelection()).results
        #expect(results[0].verdict == .notRun)
        #expect(results[0].reason?.contains("could not be prepared") == true)
        #expect(results[1].verdict == .failed)
    }

    @Test("A profile makes one case fail at a subject without its demand")
    func profileDemands() async throws {
        let profile = RunProfile("bird", "A bird", [.ctap23], demands: ["wings"])
        let results = try await Sample.run(profile: profile).results(of: CaseSelection()).results
        let wings = try #require(results.first { $0.id == "fly.wings" })
        #expect(wings.verdict == .failed)
        #expect(wings.deviations.map(\.seen) == ["it has no wings"])
        #expect(wings.deviations.map(\.level) == [.must])
        let suite = ConformanceSuite<SampleBench>(
            "authenticator", official: Sample.official,
            [
                ConformanceGroup(
                    "fly", "Flying",
                    ["fly.wings", "fly.glide"].map {
                        ConformanceCase($0, "Wings beat.", .ctap("6.1"), needs: [.wings]) { _, _ in }
                    })
            ])
        let run = ConformanceRun(suite, on: SampleBench(), permission: RunPermission(), profile: profile) { .zero }
        let both = try await run.results(of: CaseSelection()).results
        #expect(both.map(\.verdict) == [.failed, .notRun])
        #expect(both[1].reason?.hasSuffix("; fly.wings has failed for it") == true)
        var alone = CaseSelection()
        alone.identifiers = ["fly.glide"]
        #expect(try await run.results(of: alone).results.map(\.verdict) == [.failed])
    }

    @Test(
        "A selection takes cases by identifier, level, specification and words",
        arguments: [
            (["walk"], [], [], nil, 5), (["walk.fail"], [], [], nil, 1), (["walk.fa"], [], [], nil, 0),
            ([], [.should], [], nil, 1), ([], [], [.webauthn3], nil, 0), ([], [], [], "walk-1 P-1", 1),
            ([], [], [], "walk-1", 5),
            ([], [], [], "STEP 12", 8), ([], [], [], "succeeds a JUMP", 1), ([], [], [], "jump beats", 0),
        ] as [([String], [Level], [Specification], String?, Int)])
    func selects(
        identifiers: [String], levels: [Level], specifications: [Specification], words: String?, count: Int
    ) async throws {
        var selection = CaseSelection()
        selection.identifiers = identifiers
        selection.levels = levels
        selection.specifications = specifications
        selection.words = words
        #expect(Sample.suite.cases.count { selection.contains($0.description) } == count)
    }

    @Test("An interrupted run goes on from its file, and drops a line that is not whole")
    func resumes() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("progress.jsonl")
        let permission = RunPermission()
        func file() throws -> ProgressFile {
            try ProgressFile(
                path, suite: "authenticator", subject: Sample.subject, profile: nil, permission: permission)
        }
        let whole = try await Sample.run().results(of: CaseSelection()).results
        do {
            let progress = try file()
            let task = Task {
                try await Sample.run().results(of: CaseSelection()) { result, _ in
                    try progress.append(result)
                    if result.id == "walk.warn" { withUnsafeCurrentTask { $0?.cancel() } }
                }
            }
            let cut = try await task.value
            #expect(cut.end == .interrupted)
            #expect(throws: CancellationError.self) { try cut.uninterrupted() }
            #expect(cut.results.map(\.id) == whole.map(\.id))
            #expect(Set(cut.results.dropFirst(3).map(\.reason)) == ["the run was interrupted"])
        }
        let written = try Data(contentsOf: URL(fileURLWithPath: path))
        try (written + Data(#"{"id":"walk.req"#.utf8)).write(to: URL(fileURLWithPath: path))
        let progress = try file()
        #expect(progress.finished.map(\.id) == ["walk.pass", "walk.fail", "walk.warn"])
        let bench = SampleBench()
        let resumed = try await Sample.run(bench).results(of: CaseSelection(), finished: progress.finished) {
            result, _ in
            try progress.append(result)
        }.results
        #expect(resumed.map(\.verdict) == whole.map(\.verdict))
        #expect(bench.log.first == "walk.require")
        #expect(try file().finished.map(\.id) == whole.map(\.id))
    }

    @Test("The error about the file of another run says what differs")
    func differingProgress() throws {
        let folder = try TemporaryFolder()
        let file = folder.path("progress.jsonl")
        func open(_ facts: [String: String], _ words: String, destructive: Bool = false) throws {
            var permission = RunPermission()
            permission.isDestructive = destructive
            _ = try ProgressFile(
                file, suite: "authenticator",
                subject: ConformanceSubject(title: "Key", facts: facts, command: "touchstone" + words), profile: nil,
                permission: permission)
        }
        try open(["AAGUID": "01"], " --seed 7")
        for (facts, words, isDestructive, difference) in [
            (["AAGUID": "01"], "", false, "the command was touchstone --seed 7, and is touchstone now"),
            (["AAGUID": "02"], " --seed 7", false, "AAGUID was 01, and is 02 now"),
            ([:], " --seed 7", false, "AAGUID was 01, and is missing now"),
            (["AAGUID": "01"], " --seed 7", true, "--destructive was not given, and is now"),
        ] {
            let error = #expect(throws: SourceError.self) { try open(facts, words, destructive: isDestructive) }
            #expect(error?.message.contains("another run: \(difference);") == true, "\(String(describing: error))")
        }
    }

    @Test("The file of another run or of another kind is refused and stays as it is")
    func foreignProgress() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("progress.jsonl")
        let other = ConformanceSubject(title: "Other", facts: ["aaguid": "01"], command: "")
        _ = try ProgressFile(path, suite: "authenticator", subject: other, profile: nil, permission: RunPermission())
        let notes = folder.path("notes.txt")
        try Data("my notes".utf8).write(to: URL(fileURLWithPath: notes))
        for file in [path, notes] {
            let before = try Data(contentsOf: URL(fileURLWithPath: file))
            #expect(throws: SourceError.self) {
                _ = try ProgressFile(
                    file, suite: "authenticator", subject: Sample.subject, profile: nil, permission: RunPermission())
            }
            #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == before)
        }
    }
}
