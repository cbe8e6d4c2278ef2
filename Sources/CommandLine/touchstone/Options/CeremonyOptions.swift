import ArgumentParser
import CTAP
import CTAPHybrid
import Foundation
import HybridLink
import KeyBench
import Machine
import RelyingParty
import RelyingPartyServer
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
        let elapsedSeconds: Double
        let problem: String?
        let steps: [Step]
    }

    /// Runs a ceremony and shows the relying party's ledger; throws when the relying party refuses.
    ///
    /// - Parameter operation: the hint of a QR code for it.
    func perform(
        _ operation: QROperation,
        _ ceremony: @escaping @Sendable (KeyRelyingParty, KeyClient) async throws -> RelyingPartyExchange
    ) async throws {
        let path = try database ?? Self.standardDatabase()
        let (outcome, elapsed) = try await key.withDevice { device, person in
            await device.phone?.expect(operation)
            return try await KeyRelyingParty.with(databasePath: path, userVerification: userVerification) { server in
                let environment = pin.environment(person)
                let trace = try key.trace(of: device)
                do {
                    guard key.through == .libfido2 else {
                        return try await device.withDevice(trace: trace) { direct in
                            try await Self.timed { try await ceremony(server, .direct(direct, environment)) }
                        }
                    }
                    return try await device.withKey(by: .libfido2, trace: trace, onKeepalive: person.keepalive) { key in
                        try await Self.timed {
                            try await ceremony(server, .library(key, environment, device.takesOneCommand))
                        }
                    }
                } catch {
                    if let problem = person.pinProblem { throw problem }
                    if await Self.mustChangePIN(of: device, after: error) {
                        throw CommandError(
                            "the PIN of \(person.key) must be changed; \(KeyAdvice.changePIN(person))", .checkFailed)
                    }
                    throw error
                }
            }
        }
        try show(outcome, after: elapsed)
    }

    private static func timed(
        _ ceremony: () async throws -> RelyingPartyExchange
    ) async throws -> (outcome: RelyingPartyExchange, elapsed: Duration) {
        let start = ContinuousClock.now
        let outcome = try await ceremony()
        return (outcome, ContinuousClock.now - start)
    }

    /// Whether a ceremony failed because the PIN must be changed first (CTAP 2.3 §6.5.5.7).
    private static func mustChangePIN(of device: BenchDevice, after error: any Error) async -> Bool {
        guard !device.takesOneCommand,
            error is SecurityKeyError || (error as? WebAuthnClientError)?.isDeviceFailure == false,
            let info = try? await device.withKey(by: .direct, { key in try await key.info() })
        else { return false }
        return info.forcePINChange == true
    }

    private func show(_ outcome: RelyingPartyExchange, after elapsed: Duration) throws {
        if output.json {
            try Terminal.writeJSON(
                Report(
                    isAccepted: outcome.isSuccess, status: outcome.status, elapsedSeconds: elapsed / .seconds(1),
                    problem: outcome.problem?.description,
                    steps: outcome.verdicts.last?.ledger.entries.map { entry in
                        Report.Step(
                            step: entry.step.rawValue, clause: entry.step.clause, title: entry.step.title,
                            outcome: entry.outcome.name.rawValue,
                            reasons: entry.outcome.reasons)
                    } ?? []))
        } else if let verdict = outcome.verdicts.last {
            Terminal.write(LedgerDescription.lines(verdict.ledger))
        }
        if let problem = outcome.problem {
            throw CommandError("the relying party refused (HTTP \(outcome.status)): \(problem)", .checkFailed)
        }
        if !output.json {
            let seconds = String(format: "%.1f", elapsed / .seconds(1))
            Terminal.write("The relying party accepted (HTTP \(outcome.status)).")
            Terminal.write("The ceremony took \(seconds) s.")
        }
    }

    /// `$XDG_STATE_HOME/touchstone/keys.sqlite`, in a directory only its owner can open.
    private static func standardDatabase() throws -> String {
        let directory = StateDirectory.standardPath
        let database = directory + "/keys.sqlite"
        try CommandError.writing(database) {
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        return database
    }
}
