import Conformance
import Foundation
import TestSupport
import Testing

/// `touchstone conformance` as its users run it.
@Suite("The command conformance")
struct ConformanceCommandTests {
    private let folder: TemporaryFolder
    private let touchstone: Touchstone
    private let wrongKey: String

    init() throws {
        folder = try TemporaryFolder()
        touchstone = Touchstone(beside: .module, runtimeDirectory: folder.url)
        let profiles = try #require(Bundle.module.url(forResource: "Profiles", withExtension: nil))
        wrongKey = "virtual:" + profiles.appending(path: "wrong-selection.yaml").path
    }

    private func authenticator(_ device: String, _ arguments: String...) async throws -> Touchstone.Output {
        try await touchstone.run(["conformance", "authenticator", "--device", device] + arguments)
    }

    @Test("A deviation ends with status 1, names clause and case, and its command repeats it alone")
    func deviation() async throws {
        let output = try await authenticator(wrongKey, "--case", "selection")
        #expect(output.status == 1)
        #expect(output.standardOutput.contains("FAILED selection.declined, CTAP 2.3 §6.9"))
        #expect(output.standardOutput.contains("expected CTAP2_ERR_OPERATION_DENIED (0x27)"))
        let repeating = try #require(output.standardOutput.components(separatedBy: "repeat: touchstone ").last)
        let arguments = repeating.prefix { $0 != "\n" }.split(separator: " ")
            .map { $0.trimmingCharacters(in: ["'"]) }
        let again = try await touchstone.run(arguments)
        #expect(again.status == 1)
        #expect(again.standardOutput.contains("1 case: 1 failed"))
    }

    @Test("A known failure does not end with status 1, and a mended one is named")
    func baseline() async throws {
        let path = folder.path("known.yaml")
        let first = try await authenticator(wrongKey, "--case", "selection", "--write-baseline", path)
        #expect(first.status == 1)
        #expect(try await authenticator(wrongKey, "--case", "selection", "--baseline", path).status == 0)
        let right = try await authenticator(
            "virtual:security-key-complete", "--case", "selection", "--baseline", path)
        #expect(right.status == 0)
        #expect(right.standardError.contains("remove them from the baseline: selection.declined"))
    }

    @Test("Only the cases that failed in a report run again, and a report without failures is refused")
    func rerunsFailures() async throws {
        let (report, good) = (folder.path("report.json"), folder.path("good.json"))
        _ = try await authenticator(wrongKey, "--case", "selection", "--report", report)
        let again = try await authenticator(wrongKey, "--rerun-failed", report, "--verbose")
        #expect(again.status == 1)
        #expect(again.standardOutput.contains("1 case: 1 failed"))
        let mended = try await authenticator(
            "virtual:security-key-complete", "--rerun-failed", report, "--report", good)
        #expect(mended.status == 0)
        let none = try await authenticator("virtual:security-key-complete", "--rerun-failed", good)
        #expect(none.status == 2)
        #expect(none.standardError.contains("no chosen case failed there"))
    }

    @Test("A warning ends with status 1 only where --fail-on asks for it, and the baseline may know it")
    func failsOnWarnings() async throws {
        let device = "virtual:yubikey-5-nfc-5.7"
        let known = folder.path("warnings.yaml")
        let name = "clientPIN.retries.withoutPIN"
        #expect(try await authenticator(device, "--case", name).status == 0)
        let strict = try await authenticator(
            device, "--case", name, "--fail-on", "warning", "--write-baseline", known)
        #expect(strict.status == 1)
        #expect(strict.standardError.contains("1 case failed or warned"))
        let held = try await authenticator(device, "--case", name, "--fail-on", "warning", "--baseline", known)
        #expect(held.status == 0)
    }

    @Test("The end of a run counts the cases that it left out by their reasons; no progress reaches a pipe")
    func reasons() async throws {
        let output = try await authenticator("virtual:yubikey-5-nfc-5.7", "--case", "bioEnrollment.modality")
        #expect(output.status == 0)
        #expect(output.standardOutput.contains("not applicable:\n"))
        #expect(output.standardOutput.contains(" getInfo lacks the option bioEnroll\n"))
        #expect(output.standardError.isEmpty)
    }

    @Test("A report becomes JUnit afterwards")
    func reportAsJUnit() async throws {
        let (report, junit) = (folder.path("report.json"), folder.path("junit.xml"))
        _ = try await authenticator(wrongKey, "--case", "selection", "--report", report)
        let output = try await touchstone.run("conformance", "report", report, "--junit", junit)
        #expect(output.status == 0)
        let text = try String(contentsOfFile: junit, encoding: .utf8)
        #expect(text.contains("failures=\"1\""))
        #expect(text.firstMatch(of: /time="[0-9]+\.[0-9]{3}"/) != nil)
    }

    @Test(
        "A wrong option ends with status 2 before the device is used",
        arguments: [
            ["--case", "selection.tuch"], ["--profile", "fido9"], ["--specification", "CTAP 9"],
            ["--search", "no such words"],
            ["--baseline", "/nonexistent/known.yaml"], ["--report", "/nonexistent/report.json"],
        ])
    func wrongOptions(options: [String]) async throws {
        let output = try await touchstone.run(
            ["conformance", "authenticator", "--device", "virtual:security-key-complete"] + options)
        #expect(output.status == 2)
        #expect(output.standardOutput.isEmpty)
        #expect(!output.standardError.isEmpty)
    }

    @Test("A simulated key and a run's report are compared case by case")
    func comparison() async throws {
        let path = folder.path("report.json")
        _ = try await authenticator(wrongKey, "--case", "selection", "--report", path)
        let same = try await touchstone.run("conformance", "compare", path, wrongKey)
        #expect(same.status == 0)
        let twin = try await touchstone.run("conformance", "compare", path, "virtual:security-key-complete")
        #expect(twin.status == 1)
        #expect(twin.standardOutput.contains("selection.declined"))
        #expect(twin.standardOutput.contains("6 cases compared, 1 difference"))
    }

    @Test("A run on a recognised key says in which cases it differs from the kept answers")
    func knownKey() async throws {
        let profile = folder.path("mine.yaml")
        try Data(
            """
            name: mine
            extends: yubikey-5-nfc-5.7
            title: A key with another status for an excluded credential
            faults: ["status-swapped:CREDENTIAL_EXCLUDED=OTHER on MakeCredential"]

            """.utf8
        ).write(to: URL(fileURLWithPath: profile))
        let report = folder.path("mine.json")
        let output = try await authenticator(
            "virtual:" + profile, "--case", "makeCredential.excludeList", "--report", report)
        #expect(output.standardOutput.contains("Compared with the known yubikey-5-nfc-5.7: "))
        #expect(output.standardOutput.contains("makeCredential.excludeList.match  "))
        let twin = try await authenticator("virtual:yubikey-5-nfc-5.7", "--case", "selection")
        #expect(twin.standardOutput.contains("Compared with the known yubikey-5-nfc-5.7: 6 cases, no difference"))
        let later = try await touchstone.run("conformance", "compare", report, "known:yubikey-5-nfc-5.7")
        #expect(later.status == 1)
        #expect(later.standardOutput.contains("makeCredential.excludeList.match"))
        let unknown = try await touchstone.run("conformance", "compare", report, "known:yubikey-6")
        #expect(unknown.status == 2)
        #expect(unknown.standardError.contains("did you mean "))
    }

    @Test("A run that is killed at random instants goes on and ends with the verdicts of an uninterrupted one")
    func killedRun() async throws {
        let device = "virtual:security-key-complete"
        let groups = ["--case", "selection", "--case", "clientPIN"]
        let (whole, resumed, progress) = (
            folder.path("whole.json"), folder.path("resumed.json"), folder.path("p.jsonl")
        )
        let reference = try await touchstone.run(
            ["conformance", "authenticator", "--device", device, "--report", whole] + groups)
        #expect(reference.status == 0)
        var generator = SeededGenerator(seed: 16)
        var kills = 0
        for _ in 0..<5 {
            let lines = Int.random(in: 2...100, using: &generator)
            // A shell kills it, so that a busy test process cannot come too late.
            let pipe = folder.path("pipe-\(lines)")
            let arguments =
                "conformance authenticator --device \(device) --resume '\(progress)' --verbose \(groups.joined(separator: " "))"
            let output = try await touchstone.run(
                shell: """
                    mkfifo '\(pipe)'; '\(touchstone.executable.path)' \(arguments) > '\(pipe)' & head -n \(lines) '\(pipe)' > /dev/null
                    kill -9 $!; wait $!; echo "ended with $?"
                    """)
            if output.standardOutput.contains("ended with 137") { kills += 1 }
        }
        #expect(kills > 0)
        let end = try await touchstone.run(
            ["conformance", "authenticator", "--device", device, "--resume", progress, "--report", resumed] + groups)
        #expect(end.status == 0)
        let (one, other) = (try ConformanceReport(file: whole), try ConformanceReport(file: resumed))
        #expect(one.results.map { "\($0.id) \($0.verdict)" } == other.results.map { "\($0.id) \($0.verdict)" })
    }
}
