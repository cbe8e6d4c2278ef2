import AuthenticatorSuite
import Conformance
import DeviceProfiles
import Foundation
import KeyBench
import ProfileFiles
import TestSupport
import Testing

/// Runs on a software authenticator of another project: PyPI's ctap-keyring-device behind CTAPHID over UDP.
///
/// docs/conformance.md judges the findings.
struct ForeignTests {
    /// The reason why the program does not serve.
    struct NotServing: Error {
        let errors: String
    }

    @Test(.timeLimit(.minutes(30))) func ctapKeyringDeviceFailsTheKnownCases() async throws {
        let file = PackageRoot.url.appending(path: "Tests/Suites/AuthenticatorSuiteTests/Foreign/keyring_device.yaml")
        let known = Set(AuthenticatorSuite.all.cases.map(\.description.id))
        let baseline = try Baseline(file: file.path, known: known)
        let report = try await Self.withDevice { port in try await Self.report(port: port) }
        #expect(baseline.newFailures(in: report) == [])
        // Its counter is the time in seconds, which may rise between the assertions of a slow run.
        #expect(baseline.mended(in: report).filter { $0 != "getAssertion.counter.increases" } == [])
        #expect(report.count(.passed) > 100)
        #expect(report.results.count == known.count)
    }

    private static func report(port: Int) async throws -> ConformanceReport {
        let finder = DeviceFinder { try Authenticator.profiles.profile($0) }
        let found = try #require(try await finder.devices(.udp(host: "127.0.0.1", port: port)).first)
        var settings = AuthenticatorBench.Settings()
        settings.mayChange = true
        let bench = try await AuthenticatorBench.open(found, settings: settings)
        let results = try await Authenticator.results(on: bench)
        await bench.close()
        return ConformanceReport(
            suite: AuthenticatorSuite.all.name,
            subject: ConformanceSubject(title: "ctap-keyring-device", facts: [:], command: ""), version: "",
            profile: nil, results: Array(results.values), cases: AuthenticatorSuite.all.cases.map(\.description))
    }

    /// Runs the program on a free port, and stops it afterwards.
    private static func withDevice<Result>(_ use: (Int) async throws -> Result) async throws -> Result {
        let folder = try #require(Bundle.module.url(forResource: "Foreign", withExtension: nil))
        let packages = PackageRoot.url.appending(path: ".build/python-authenticator")
        let process = Process()
        let (input, output, errors) = (Pipe(), Pipe(), Pipe())
        process.executableURL = Python.interpreter
        process.arguments = ["-B", folder.appending(path: "keyring_device.py").path, packages.path]
        (process.standardInput, process.standardOutput, process.standardError) = (input, output, errors)
        try process.run()
        // The end of its standard input ends it.
        defer { try? input.fileHandleForWriting.close() }
        guard let port = await number(from: output.fileHandleForReading) else {
            process.terminate()
            throw NotServing(errors: String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self))
        }
        return try await use(port)
    }

    /// The number that the program prints in one piece, read outside the concurrency pool, because reading blocks.
    private static func number(from handle: FileHandle) async -> Int? {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                let text = String(decoding: handle.availableData, as: UTF8.self)
                continuation.resume(returning: Int(text.trimmingCharacters(in: .whitespacesAndNewlines)))
            }
        }
    }
}
