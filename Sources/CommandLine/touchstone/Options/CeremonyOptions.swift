import ArgumentParser
import CTAP
import Foundation
import Harness
import KeyBench
import RelyingParty
import SecurityKeys
import WebAuthn
import WebAuthnClient

/// A ceremony between a key and the bench's own relying party.
struct CeremonyOptions: ParsableArguments {
    @OptionGroup var key: KeyOptions

    @OptionGroup var pin: PINOptions

    @Option(help: "User verification to request.")
    var userVerification: UserVerificationRequirement = .preferred

    @Option(help: "The relying party's database; default: $XDG_STATE_HOME/touchstone/keys.sqlite.")
    var database: String?

    @OptionGroup var output: OutputOptions

    /// The result as JSON.
    private struct Report: Encodable {
        struct Step: Encodable {
            let step: String
            let clause: String
            let title: String
            let outcome: String
            let reasons: [Reason]
        }

        let isAccepted: Bool
        let status: Int
        let problem: String?
        let steps: [Step]
    }

    /// Runs a ceremony and shows the relying party's ledger.
    ///
    /// - Throws: `CommandError` when the relying party refuses.
    func perform(
        _ ceremony: @escaping @Sendable (KeyHarness, KeyClient) async throws -> HarnessExchange
    ) async throws {
        let path = try database ?? Self.standardDatabase()
        let outcome = try await key.withDevice { device, person in
            try await KeyHarness.with(databasePath: path, userVerification: userVerification) { harness in
                let environment = pin.environment(person)
                let trace = try key.trace(of: device)
                guard key.through == .libfido2 else {
                    return try await device.withDevice(trace: trace) { direct in
                        try await ceremony(harness, .direct(direct, environment))
                    }
                }
                return try await device.withKey(by: .libfido2, trace: trace, onKeepalive: person.keepalive) { key in
                    try await ceremony(harness, .library(key, environment))
                }
            }
        }
        try show(outcome)
    }

    private func show(_ outcome: HarnessExchange) throws {
        if output.json {
            try Terminal.writeJSON(
                Report(
                    isAccepted: outcome.isSuccess, status: outcome.status, problem: outcome.problem?.description,
                    steps: outcome.verdicts.last?.ledger.entries.map { entry in
                        Report.Step(
                            step: entry.step.rawValue, clause: entry.step.clause, title: entry.step.title,
                            outcome: entry.outcome.name.rawValue,
                            reasons: entry.outcome.reasons)
                    } ?? []))
        } else if let verdict = outcome.verdicts.last {
            Terminal.write(LedgerDescription.lines(verdict))
        }
        if let problem = outcome.problem {
            throw CommandError("the relying party refused (HTTP \(outcome.status)): \(problem)", .checkFailed)
        }
        if !output.json { Terminal.write("The relying party accepted (HTTP \(outcome.status)).") }
    }

    /// `$XDG_STATE_HOME/touchstone/keys.sqlite`, in a directory only its owner can open.
    private static func standardDatabase() throws -> String {
        let environment = ProcessInfo.processInfo.environment
        let state = environment["XDG_STATE_HOME"].flatMap { $0.isEmpty ? nil : $0 }
        let home = state ?? NSHomeDirectory() + "/.local/state"
        let directory = home + "/touchstone"
        do {
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw CommandError(
                "\(directory) cannot be created: \(error.localizedDescription); choose another place with --database",
                .badInput)
        }
        return directory + "/keys.sqlite"
    }
}
