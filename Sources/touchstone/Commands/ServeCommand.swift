public import ArgumentParser
import Foundation
import Harness
import RelyingParty
public import WebAuthn

/// `touchstone serve`: the relying party on its own.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the relying party harness until interrupted.",
        discussion: """
            Accounts, passkey registration and sign-in under /api/v1/auth, on SQLite. Its verdicts are printed as \
            they fall: each ceremony with the steps of its ledger that failed.
            """)

    @Option(help: "The port; 0 takes a free one.")
    var port = 8080

    @Option(help: "The database file; without it, everything is forgotten at the end.")
    var database: String?

    @Option(help: "The relying party ID; the origins must lie under it.")
    var relyingPartyID = "localhost"

    @Option(help: "An origin to accept, such as https://example.org; repeat for several.")
    var origin: [String] = []

    @Option(help: "User verification asked for at registration and sign-in: required, preferred, discouraged.")
    var userVerification: UserVerificationRequirement = .preferred

    func validate() throws {
        guard (0...65535).contains(port) else { throw ValidationError("--port must be 0 to 65535.") }
    }

    func run() async throws {
        var configuration = HarnessConfiguration()
        configuration.port = port
        configuration.databasePath = database
        configuration.relyingPartyID = relyingPartyID
        if !origin.isEmpty { configuration.origins = origin }
        configuration.attestation = .direct
        configuration.userVerification = UserVerificationDemands(
            registration: userVerification, signIn: userVerification, reauthentication: .required)
        configuration.onVerdict = { event in
            let failed = event.ledger.failures.map(\.step.rawValue)
            Terminal.write(
                "\(event.ceremony.rawValue) \(event.username ?? "-"): \(event.status)"
                    + (event.errorCode.map { " \($0)" } ?? "")
                    + (failed.isEmpty ? ", ledger holds" : ", ledger failed at \(failed.joined(separator: ", "))"))
        }
        let harness: RunningHarness
        do {
            harness = try await Harness.start(configuration)
        } catch {
            throw CommandError("the relying party cannot start: \(error)", .notThere)
        }
        Terminal.writeError("listening on \(harness.baseURL); Ctrl-C ends it")
        await Interruption.whileUninterrupted { await Interruption.untilCancelled() }
        await harness.stop()
    }
}

extension UserVerificationRequirement: ExpressibleByArgument {}
