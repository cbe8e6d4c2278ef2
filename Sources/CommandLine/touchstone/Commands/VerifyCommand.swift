import ArgumentParser
import Captures
import Foundation
import Machine
import RelyingParty
import RelyingPartyServer
import WebAuthn
import WebAuthnClient

/// `touchstone verify`.
struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verify a captured registration or assertion step by step.",
        discussion: """
            FILE has the credential in JSON as 'response', the 'options', the 'origin' and, for an assertion, the \
            'record': the stored 'publicKey' (COSE or SPKI in base64url, or PEM) and 'signCount'. 'challenge' and 'rpId' can replace the \
            options. A credential alone works with --challenge and --origin. An option replaces the file's value. \
            --json prints the record of a registration; --record reads it for an assertion. Exit status 1 if a step \
            fails.
            """)

    @Argument(help: "The file with the response; - for standard input.", completion: .file())
    var file: String

    @Option(help: "The challenge, in base64url.")
    var challenge: String?

    @Option(help: "An origin to accept, such as https://example.org. Repeatable.")
    var origin: [String] = []

    @Option(help: "The relying party ID; default: that of the file, or the origin's host.")
    var relyingPartyID: String?

    @Option(help: "The stored credential of an assertion, in JSON.", completion: .file())
    var record: String?

    @Option(
        help:
            "The user verification that the options asked for; default: that of the file, or preferred, which refuses nothing."
    )
    var userVerification: UserVerificationRequirement?

    @Option(help: "An offered algorithm, by name or number; default: those of the file, or all. Repeatable.")
    var algorithm: [OfferedAlgorithm] = []

    @OptionGroup var attestation: AttestationOptions

    @Option(help: "The reaction to a signature counter that did not increase.")
    var counterPolicy: CounterPolicy = .reject

    @Flag(help: "Accept a response from a cross-origin frame.")
    var crossOrigin = false

    @Option(help: "The origin of a page whose frames are accepted; implies --cross-origin. Repeatable.")
    var topOrigin: [String] = []

    @Option(help: "The level of WebAuthn to verify: 2 or 3.")
    var webauthnLevel: WebAuthnLevel = .three

    @OptionGroup var output: OutputOptions

    private static let longestFile = 1 << 20

    func validate() throws {
        guard file != "-" || record != "-" else {
            throw ValidationError("Only one of FILE and --record can be standard input.")
        }
        if let problem = (origin + topOrigin).lazy.compactMap(Origin.problem).first { throw ValidationError(problem) }
    }

    func run() async throws {
        var settings = CaptureSettings()
        if let challenge {
            guard let bytes = Base64URL.decode(challenge) else {
                throw CommandError("--challenge is not base64url", .badInput)
            }
            settings.challenge = bytes
        }
        settings.origins = origin
        settings.relyingPartyID = relyingPartyID
        settings.userVerification = userVerification
        settings.algorithms = algorithm.map(\.algorithm)
        settings.allowsCrossOrigin = crossOrigin
        settings.topOrigins = topOrigin
        settings.level = webauthnLevel
        settings.counterPolicy = counterPolicy
        settings.attestation = try await attestation.policy(now: RelyingPartyConfiguration.systemClock())
        if let record {
            let bytes = try Self.read(record)
            settings.record = try Self.about(record) { () throws(CaptureError) in try CapturedRecord(parsing: bytes) }
        }
        let bytes = try Self.read(file)
        let capture = try Self.about(file) { () throws(CaptureError) in try Capture(parsing: bytes, settings) }
        let report = await capture.verify()
        try output.write(report) { CaptureDescription.lines(report) }
        guard report.accepted else {
            let steps = report.ledger.failures.map { $0.step.rawValue }
            throw CommandError("refused at \(steps.joined(separator: ", "))", .checkFailed)
        }
    }

    private static func read(_ path: String) throws -> [UInt8] {
        let file = path == "-" ? "/dev/stdin" : path
        guard let bytes = BoundedFile.read(file, limit: longestFile) else {
            let words =
                FileManager.default.fileExists(atPath: file) ? "the file cannot be read" : "the file does not exist"
            throw CommandError("\(path): \(words)", .badInput)
        }
        guard !bytes.isEmpty else { throw CommandError("\(path): the file is empty", .badInput) }
        guard bytes.count <= longestFile else {
            throw CommandError("\(path): the file is longer than 1 MiB, the most that is read", .badInput)
        }
        return bytes
    }

    /// Reads a file's content; an error names the file.
    private static func about<Content>(
        _ path: String, _ read: () throws(CaptureError) -> Content
    ) throws(CommandError) -> Content {
        do {
            return try read()
        } catch {
            throw CommandError("\(path): \(error)", .badInput)
        }
    }
}
