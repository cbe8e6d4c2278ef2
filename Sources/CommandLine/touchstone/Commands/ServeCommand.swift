public import ArgumentParser
import COSE
import ControlAPI
import Foundation
import Machine
import MachineNeeds
import Providers
package import RelyingParty
import RelyingPartyServer
package import WebAuthn
import WebAuthnClient
import Wording

/// `touchstone serve`.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the relying party until interrupted.",
        discussion: """
            Serves accounts, passkey registration and sign-in under /api/v1/auth, on SQLite. Prints the verdict of \
            each ceremony, with the ledger steps that failed. The services of an app run beside it: OpenID \
            providers like BankID (/bankid) and Vipps (/vipps), the app's backend (/gateway/v1), a member system \
            (/member-systems), a mailbox (/mailbox), e-mail codes (/authsignal/v1) and custom authentication (/cognito). \
            People sign in at /sign-in.
            """)

    @Option(help: "The port; 0 takes a free one.")
    var port = UsualPort.serve.number

    @Option(help: "The database file; default: in memory.")
    var database: String?

    @Option(help: "The relying party ID, a suffix of the origins' domains.")
    var relyingPartyID = "localhost"

    @Option(help: "An origin to accept, such as https://example.org. Repeatable.")
    var origin: [String] = []

    @Option(help: "User verification at registration and sign-in.")
    var userVerification: UserVerificationRequirement = .preferred

    @OptionGroup var attestation: AttestationOptions

    // COSE's numbers are negative and look like options.
    @Option(
        parsing: .unconditionalSingleValue,
        help: "An algorithm to offer, by name or number, the most preferred first. Repeatable.")
    var algorithm: [OfferedAlgorithm] = []

    @Option(help: "The reaction to a signature counter that did not increase.")
    var counterPolicy: CounterPolicy = .reject

    @Option(
        help: "The AppID of credentials from U2F, such as https://localhost. Sign-ins then ask for the extension appid."
    )
    var appID: String?

    @Flag(inversion: .prefixedNo, help: "Register roaming authenticators.")
    var roaming = true

    @Flag(help: "Accept responses from cross-origin frames.")
    var crossOrigin = false

    @Option(help: "The origin of a page whose frames are accepted; implies --cross-origin. Repeatable.")
    var topOrigin: [String] = []

    @Option(help: "The level of WebAuthn to verify: 2 or 3.")
    var webauthnLevel: WebAuthnLevel = .three

    @OptionGroup var trouble: TroubleOptions

    @Flag(help: "Run the control API, too, on a free port.")
    var control = false

    @OptionGroup var controlling: ControlOptions

    func validate() throws {
        try OptionRule.need("--control", control, for: controlling.ofRunningServer)
        try OptionRule.need("--control", control, for: ["--strict": controlling.strict])
        guard (0...65535).contains(port) else { throw ValidationError("--port must be 0 to 65535.") }
        guard control || trouble.failingRequests > 0 || trouble.failingStatus == ServerTrouble().failingStatus else {
            throw ValidationError("--failing-status needs --failing-requests, or --control for later requests.")
        }
        try checkOrigins()
    }

    /// Refuses origins with which no ceremony can pass.
    private func checkOrigins() throws {
        if let problem = (origin + topOrigin).lazy.compactMap(Origin.problem).first { throw ValidationError(problem) }
        let own = origin.isEmpty ? ["http://localhost"] : origin
        let belongs = own.contains { text in
            let host = URLComponents(string: text)?.host ?? ""
            return Origin.isAndroidFacet(text) || host == relyingPartyID || host.hasSuffix("." + relyingPartyID)
        }
        guard belongs else {
            throw ValidationError(
                "No origin belongs to the relying party ID \(relyingPartyID); add --origin https://\(relyingPartyID).")
        }
    }

    /// The address of the pages: this computer's, unless only another origin has the relying party ID.
    private func pages(at address: String) -> String {
        let hosts = origin.map { URLComponents(string: $0)?.host ?? "" }
        let site = origin.isEmpty || hosts.contains("localhost") ? nil : origin.first { !Origin.isAndroidFacet($0) }
        guard let site else { return address + LoopbackServices.firstPage }
        return "\(site)\(LoopbackServices.firstPage); a proxy of yours has to lead from there to \(address)"
    }

    func run() async throws {
        Interruption.listen()
        var configuration = RelyingPartyConfiguration()
        configuration.port = port
        configuration.logger = TerminalLog.logger("touchstone.serve")
        configuration.databasePath = database
        configuration.relyingPartyID = relyingPartyID
        if !origin.isEmpty { configuration.origins = origin }
        configuration.attestation = .direct
        configuration.attestationPolicy = try await attestation.policy(now: RelyingPartyConfiguration.systemClock())
        if let blob = configuration.attestationPolicy.metadata?.blob {
            let day = blob.outdatedSince(RelyingPartyConfiguration.systemClock())
            Terminal.writeError(
                "metadata number \(blob.number): \(Wording.counted(blob.entries.count, "model"))"
                    + (day.map { "; out of date, the next was due by \($0)" } ?? ""))
        }
        configuration.userVerification = UserVerificationRequirements(
            registration: userVerification, signIn: userVerification, reauthentication: .required)
        if !algorithm.isEmpty { configuration.algorithms = algorithm.map(\.algorithm) }
        configuration.counterPolicy = counterPolicy
        configuration.appID = appID
        configuration.roamingAllowed = roaming
        configuration.crossOriginAllowed = crossOrigin || !topOrigin.isEmpty
        configuration.topOrigins = topOrigin
        configuration.level = webauthnLevel
        configuration.conditions = ServerConditions(trouble.trouble)
        let services = LoopbackServices()
        configuration.services = [services]
        configuration.onVerdict = { event in
            let failed = event.failedSteps
            let flagged = event.ledger.flagged.map(\.step.rawValue)
            Terminal.writeText(
                "\(event.ceremony.rawValue) \(event.username ?? "-"): \(event.status)"
                    + (event.errorCode.map { " \($0)" } ?? "")
                    + (failed.isEmpty
                        ? ", every ledger step passed" : ", ledger failed at \(failed.joined(separator: ", "))")
                    + (flagged.isEmpty ? "" : ", flagged at \(flagged.joined(separator: ", "))"))
        }
        let server: RelyingPartyServer
        do {
            server = try await RelyingPartyServer.start(configuration)
        } catch {
            guard SystemProblem.network(error) != nil else {
                throw CommandError(
                    "the relying party cannot open its database\(database.map { " " + $0 } ?? ""): "
                        + SystemProblem.words(error), .badInput)
            }
            throw SystemProblem.cannotStart("the relying party", on: port, error)
        }
        Terminal.writeError("listening on \(server.baseURL); Ctrl-C ends it")
        if configuration.passwordCost != ScryptCost() {
            Terminal.writeError(
                "this is a build for debugging: it is slow, and hashes passwords at little cost; `make install` builds a release"
            )
        }
        Terminal.writeError("pages for any browser: " + pages(at: server.baseURL))
        let running: ControlServer?
        do {
            running =
                try await control
                ? controlling.start(port: 0, with: configuration.conditions, services, serverPort: server.port) : nil
        } catch {
            await server.stop()
            throw error
        }
        await Interruption.untilInterrupted()
        async let stopped: Void? = running?.stop()
        await server.stop()
        _ = await stopped
    }
}

extension UserVerificationRequirement: ExpressibleByArgument {}
extension CounterPolicy: ExpressibleByArgument {}
extension WebAuthnLevel: ExpressibleByArgument {}

/// An algorithm that a relying party can offer.
struct OfferedAlgorithm: ExpressibleByArgument {
    let algorithm: COSE.Algorithm

    /// The verifier's algorithms, and two that a relying party can offer although the verifier supports no sign-in with
    /// them: a TPM may certify a key for RS1.
    private static let all = COSE.Algorithm.supported + [.rs1, .mlDSA44]

    init?(argument: String) {
        let named = COSE.Algorithm(name: argument) ?? Int(argument).map(COSE.Algorithm.init(rawValue:))
        guard let named, Self.all.contains(named) else { return nil }
        algorithm = named
    }

    static var allValueStrings: [String] { all.map(\.description) }
}
