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

    @Test("The firmware has the words of keys info")
    func firmware() async throws {
        let output = try await authenticator("virtual:yubikey-5-nfc-5.7", "--case", "selection")
        #expect(output.standardOutput.contains("0x050701 (5.7.1)"), "\(output.standardOutput)")
    }

    @Test("A known failure does not end with status 1, and a mended one is named")
    func baseline() async throws {
        let path = folder.path("known.yaml")
        let first = try await authenticator(wrongKey, "--case", "selection", "--write-baseline", path)
        #expect(first.status == 1)
        #expect(try await authenticator(wrongKey, "--case", "selection", "--baseline", path).status == 0)
        let known = try await authenticator(wrongKey, "--case", "selection", "--baseline", path)
        #expect(known.standardOutput.contains("failed selection.declined, known failure, \(path) line 3: "))
        #expect(known.standardOutput.contains("1 failed (1 known)"))
        try Data("failed: {}\n".utf8).write(to: URL(fileURLWithPath: folder.path("none.yaml")))
        let fresh = try await authenticator(
            wrongKey, "--case", "selection", "--baseline", folder.path("none.yaml"))
        #expect(fresh.status == 1)
        #expect(fresh.standardError.contains("1 new case failed: selection.declined"))
        let right = try await authenticator(
            "virtual:security-key-complete", "--case", "selection", "--baseline", path)
        #expect(right.status == 0)
        #expect(right.standardError.contains("remove them from the baseline: selection.declined"))
    }

    @Test("A baseline that is written over an older one keeps the cases that the run did not look at")
    func baselineOverBaseline() async throws {
        let path = folder.path("mine.yaml")
        try Data("failed:\n  getInfo.algorithms.type: \"by hand\"\n".utf8).write(to: URL(fileURLWithPath: path))
        for options in [["--baseline", path, "--write-baseline", path], ["--write-baseline", path]] {
            let output = try await touchstone.run(
                ["conformance", "authenticator", "--device", wrongKey, "--case", "selection"] + options)
            #expect([0, 1].contains(output.status), "\(output.standardError)")
            let text = try String(contentsOfFile: path, encoding: .utf8)
            #expect(text.contains("  getInfo.algorithms.type: \"by hand\"\n"))
            #expect(text.contains("  selection.declined: "))
        }
    }

    @Test("The command that repeats a case has the options of the run")
    func repeats() async throws {
        let pin = folder.path("it's a pin")
        try Data("271828\n".utf8).write(to: URL(fileURLWithPath: pin))
        let output = try await authenticator(
            wrongKey, "--case", "selection.declined", "--seed", "7", "--unattended", "--pin-file", pin)
        #expect(
            output.standardOutput.replacing("\n", with: " ").contains(
                "--seed 7 --pin-file '\(pin.replacing("'", with: "'\\''"))' --unattended --case selection.declined"),
            "\(output.standardOutput)")
    }

    @Test(
        "A run whose subject does not answer ends with status 3, and its reports say so for each case",
        arguments: [["authenticator", "--device", "udp:localhost:9"], ["relying-party", "http://localhost:9"]])
    func unreached(subject: [String]) async throws {
        let (json, xml, page) = (folder.path("r.json"), folder.path("r.xml"), folder.path("r.html"))
        let output = try await touchstone.run(
            ["conformance"] + subject + ["--report", json, "--junit", xml, "--html", page])
        #expect(output.status == 3)
        let report = try ConformanceReport(file: json)
        #expect(report.results.count > 900)
        #expect(report.results.allSatisfy { $0.verdict == .notRun })
        #expect(report.results.first?.reason?.hasPrefix("the subject could not be reached: ") == true)
        for file in [xml, page] { #expect(FileManager.default.fileExists(atPath: file)) }
    }

    @Test("A run whose cases a refused valid request blocks ends with status 1, also without a failed case")
    func blocked() async throws {
        let profile = folder.path("blocked.yaml")
        try Data("extends: solo-2\nname: blocked\ntitle: Blocked\nfaults: [\"refused:OTHER on MakeCredential\"]\n".utf8)
            .write(to: URL(fileURLWithPath: profile))
        let output = try await authenticator("virtual:" + profile, "--case", "makeCredential.excludeList")
        #expect(output.status == 1, "\(output.standardError)")
        #expect(output.standardError.contains("could not be run because a valid request has no success"))
    }

    @Test("A skipped case is left out, and one that would not run is refused")
    func skips() async throws {
        let device = "virtual:security-key-complete"
        let all = try await authenticator(device, "--case", "selection")
        let fewer = try await authenticator(device, "--case", "selection", "--skip", "selection.declined")
        #expect(all.standardOutput.contains("5 cases: "))
        #expect(fewer.standardOutput.contains("4 cases: "))
        let idle = try await authenticator(device, "--case", "selection", "--skip", "getInfo")
        #expect(idle.status == 2)
        #expect(idle.standardError.contains("--skip getInfo: the other filters leave it out already; remove it"))
        let unknown = try await authenticator(device, "--skip", "selection.decline")
        #expect(unknown.status == 2)
        #expect(unknown.standardError.contains("--skip selection.decline: the suite has no such case"))
    }

    @Test("The subject has the name of --name in the reports")
    func subjectName() async throws {
        let path = folder.path("named.json")
        _ = try await authenticator(
            "virtual:security-key-complete", "--case", "selection.declined", "--name", "Our key", "--report", path)
        let report = try ConformanceReport(file: path)
        #expect(report.subject.title == "Our key")
        #expect(report.began?.hasSuffix("Z") == true)
    }

    @Test("A relying party that does not answer within --wait ends with status 3", arguments: [["conformance"], []])
    func waitsInVain(prefix: [String]) async throws {
        let command = prefix.isEmpty ? ["relying-party", "check", "touchstone"] : prefix + ["relying-party"]
        let output = try await touchstone.run(command + ["--url", "http://localhost:1", "--wait", "300ms"])
        #expect(output.status == 3)
        #expect(output.standardError.contains("Waiting up to 300 ms for http://localhost:1 to answer."))
        #expect(output.standardError.contains("http://localhost:1 did not answer within 300 ms: "))
    }

    @Test(
        "The cases about models and expired challenges run where the relying party is said to know them and to move its time"
    )
    func toldFacts() async throws {
        let server = try touchstone.start(["serve", "--port", "0"])
        defer { server.terminate() }
        var address: String?
        for await line in server.errors where address == nil {
            address = line.firstMatch(of: /http:\/\/localhost:\d+/).map { String($0.output) }
            if address != nil { break }
        }
        let spans = folder.path("spans")
        let cases = ["--case", "challenge.assertion.expired", "--case", "metadata"]
        let command = ["conformance", "relying-party", "--relying-party", "touchstone", try #require(address)] + cases
        let untold = try await touchstone.run(command)
        #expect(untold.standardOutput.contains("the time of the relying party cannot be moved"))
        #expect(untold.standardOutput.contains("the relying party was not told the metadata of the suite's models"))
        let told = try await touchstone.run(
            command + ["--knows-models", "--pass-time", "printf '%s\\n' >>'\(spans)'", "--verbose"])
        #expect(!told.standardOutput.contains("was not told"), "\(told.standardOutput)")
        // The option names a command of the user: it gets the seconds, and this server's time stands still.
        #expect(
            try String(contentsOfFile: spans, encoding: .utf8).split(separator: "\n").allSatisfy { Int($0) ?? 0 > 60 })
        #expect(told.standardOutput.contains("expired"))
        let broken = try await touchstone.run(command + ["--pass-time", "false"])
        #expect(
            broken.standardOutput.contains(
                "no time passed at the relying party: the command of --pass-time ended with status 1"))
    }

    @Test("A profile's name in place of a device gets the selector that it means")
    func profileAsDevice() async throws {
        let output = try await authenticator("yubikey-5-nfc-5.7", "--case", "selection")
        #expect(output.status == 2)
        #expect(output.standardError.contains("did you mean --device virtual:yubikey-5-nfc-5.7?"))
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
        #expect(twin.standardOutput.contains("5 cases compared, 1 difference"))
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
        #expect(twin.standardOutput.contains("Compared with the known yubikey-5-nfc-5.7: 5 cases, no difference"))
        let later = try await touchstone.run("conformance", "compare", report, "known:yubikey-5-nfc-5.7")
        #expect(later.status == 1)
        #expect(later.standardOutput.contains("makeCredential.excludeList.match"))
        let unknown = try await touchstone.run("conformance", "compare", report, "known:yubikey-6")
        #expect(unknown.status == 2)
        #expect(unknown.standardError.contains("did you mean "))
    }

    @Test("The kept answers of two keys are compared without a run, and of a key with a run against its statement")
    func keptAnswers() async throws {
        let same = try await touchstone.run(
            "conformance", "compare", "known:yubikey-5-nfc-5.7", "known:yubikey-5-nfc-5.7")
        #expect(same.status == 0, "\(same.standardError)")
        let other = try await touchstone.run("conformance", "compare", "known:solo-2", "known:yubikey-5-nfc-5.7")
        #expect(other.status == 1)
        let statement = try await touchstone.run("attestation", "metadata", "yubikey-5-nfc-5.7")
        let file = folder.path("statement.json")
        try Data(statement.standardOutput.utf8).write(to: URL(fileURLWithPath: file))
        let stated = try await authenticator(
            "virtual:yubikey-5-nfc-5.7", "--metadata", file, "--case", "metadata.aaguid")
        #expect(stated.standardOutput.contains("1 passed"))
        #expect(stated.standardOutput.contains("Compared with the known yubikey-5-nfc-5.7: 0 cases, no difference"))
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
