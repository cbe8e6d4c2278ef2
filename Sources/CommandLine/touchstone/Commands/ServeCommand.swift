public import ArgumentParser
import Attestation
import ControlAPI
import Foundation
import Harness
import RelyingParty
import SwiftASN1
package import WebAuthn

/// `touchstone serve`.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the relying party until interrupted.",
        discussion: """
            Serves accounts, passkey registration and sign-in under /api/v1/auth, on SQLite. Prints the verdict of \
            each ceremony, with the ledger steps that failed.
            """)

    @Option(help: "The port; 0 takes a free one.")
    var port = 8080

    @Option(help: "The database file; default: in memory.")
    var database: String?

    @Option(help: "The relying party ID, a suffix of the origins' domains.")
    var relyingPartyID = "localhost"

    @Option(help: "An origin to accept, such as https://example.org. Repeatable.")
    var origin: [String] = []

    @Option(help: "User verification at registration and sign-in.")
    var userVerification: UserVerificationRequirement = .preferred

    @Option(
        help: ArgumentHelp(
            """
            Trust attestation under this root certificate only: a PEM file, or 'touchstone' for the simulated \
            devices' root. Repeatable.
            """, valueName: "root"))
    var trust: [String] = []

    @Flag(help: "Run the control API, too, on a free port.")
    var control = false

    @OptionGroup var controlling: ControlOptions

    func validate() throws {
        guard control || !controlling.isGiven else {
            throw ValidationError("Options of the control API need --control.")
        }
        guard (0...65535).contains(port) else { throw ValidationError("--port must be 0 to 65535.") }
    }

    func run() async throws {
        var configuration = HarnessConfiguration()
        configuration.port = port
        configuration.databasePath = database
        configuration.relyingPartyID = relyingPartyID
        if !origin.isEmpty { configuration.origins = origin }
        configuration.attestation = .direct
        if !trust.isEmpty { configuration.attestationPolicy = try Self.policy(trusting: trust) }
        configuration.userVerification = UserVerificationDemands(
            registration: userVerification, signIn: userVerification, reauthentication: .required)
        configuration.onVerdict = { event in
            let failed = event.failedSteps
            Terminal.writeText(
                "\(event.ceremony.rawValue) \(event.username ?? "-"): \(event.status)"
                    + (event.errorCode.map { " \($0)" } ?? "")
                    + (failed.isEmpty ? ", ledger holds" : ", ledger failed at \(failed.joined(separator: ", "))"))
        }
        let harness: Harness
        do {
            harness = try await Harness.start(configuration)
        } catch {
            throw CommandError("the relying party cannot start: \(SystemProblem.words(error))", .notThere)
        }
        Terminal.writeError("listening on \(harness.baseURL); Ctrl-C ends it")
        let running: ControlServer?
        do {
            running = try await control ? controlling.start(port: 0) : nil
        } catch {
            await harness.stop()
            throw error
        }
        await Interruption.whileUninterrupted { await Interruption.untilCancelled() }
        await running?.stop()
        await harness.stop()
    }
}

extension ServeCommand {
    /// A policy that accepts certificates under these roots only, no attestation and self attestation.
    private static func policy(trusting roots: [String]) throws -> AttestationPolicy {
        var anchors: [[UInt8]] = []
        for root in roots {
            if root == "touchstone" {
                anchors.append(try AttestationAuthority().rootCertificate)
                continue
            }
            do {
                let pem = try String(contentsOfFile: root, encoding: .utf8)
                let documents = try PEMDocument.parseMultiple(pemString: pem)
                guard !documents.isEmpty, documents.allSatisfy({ $0.discriminator == "CERTIFICATE" }) else {
                    throw CommandError("\(root): expected certificates in PEM", .badInput)
                }
                anchors += documents.map(\.derBytes)
            } catch let error as CommandError {
                throw error
            } catch is CocoaError {
                throw CommandError("\(root): the file cannot be read", .badInput)
            } catch {
                throw CommandError("\(root): expected certificates in PEM: \(error)", .badInput)
            }
        }
        return AttestationPolicy(
            acceptsNone: true, acceptsSelf: true, trustAnchors: TrustAnchors(forAllModels: anchors), now: .zero)
    }
}

extension UserVerificationRequirement: ExpressibleByArgument {}
