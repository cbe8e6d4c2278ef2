import ArgumentParser
import Captures
import Foundation
import Machine
import RelyingParty
import RelyingPartyServer
import WebAuthn
import WebAuthnClient
import Wording

/// `touchstone verify`.
struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verify captured registrations and assertions step by step.",
        discussion: """
            A file has the credential in JSON as 'response', the 'options', the 'origin' and, for an assertion, the \
            'record': the stored 'publicKey' (COSE or SPKI in base64url, or PEM) and 'signCount'. 'challenge' and 'rpId' can replace the \
            options. A credential alone works with --challenge and --origin. An option replaces the file's value. \
            Bytes may have the forms in which programs log them; a note names each. --json prints the report with the \
            record; --record reads it for an assertion.

            Several files, a folder and --lines give a line for each response. With --lines the files of a folder may also \
            end in .jsonl and .ndjson. Exit status 0 if each is accepted, 1 \
            if a step fails, 2 if a response cannot be read or verified; of several, the highest.
            """)

    @Argument(
        help: "Files with a response, or folders with files whose names end in .json; - for standard input.",
        completion: .file())
    var files: [String]

    @Flag(help: "Read a response from each line of the files, as it arrives.")
    var lines = false

    @Option(
        help: ArgumentHelp(
            "The moment of judging, such as 2026-01-31 or 2026-01-31T12:00:00Z; default: now.", valueName: "time"))
    var at: JudgingTime?

    @Option(help: "The challenge, in base64url or another form in which programs log bytes.")
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

    // COSE's numbers are negative and look like options.
    @Option(
        parsing: .unconditionalSingleValue,
        help: "An offered algorithm, by name or number; default: those of the file, or all. Repeatable.")
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

    func validate() throws {
        guard files.count(where: { $0 == "-" }) + (record == "-" ? 1 : 0) < 2 else {
            throw ValidationError("Only one of the files and --record can be standard input.")
        }
        if let problem = (origin + topOrigin).lazy.compactMap(Origin.problem).first { throw ValidationError(problem) }
    }

    func run() async throws {
        let settings = try await settings()
        var ceremonies: Set<VerificationStep.Ceremony> = []
        let isFolder = files.contains(where: CaptureInput.isFolder)
        guard lines || isFolder || files.count > 1 else { return try await verify(files[0], settings) }
        var counts: [CaptureVerdict.Result: Int] = [:]
        for input in try files.flatMap({ try CaptureInput.all($0, ofLines: lines) }) {
            for document in input.documents {
                let verdict = await CaptureVerdict(document, settings)
                if let report = verdict.report { ceremonies.insert(report.ceremony) }
                counts[verdict.result, default: 0] += 1
                if output.json {
                    try Terminal.writeJSON(verdict, asOneLine: true)
                } else {
                    Terminal.writeText(verdict.line, hanging: 2)
                }
            }
        }
        try requireEffect(at: ceremonies)
        try Self.conclude(counts)
    }

    /// Refuses an option that only the other ceremony reads.
    private func requireEffect(at ceremonies: Set<VerificationStep.Ceremony>) throws(CommandError) {
        guard ceremonies.count == 1, let ceremony = ceremonies.first else { return }
        let (noun, other, options) =
            switch ceremony {
            case .registration: ("a registration", "an assertion", optionsOfAssertions)
            case .authentication: ("an assertion", "a registration", optionsOfRegistrations)
            }
        guard !options.isEmpty else { return }
        let verb = options.count == 1 ? "is" : "are"
        throw CommandError(
            "\(options.joined(separator: ", ")) \(verb) for \(other), and the response is of \(noun); remove "
                + (options.count == 1 ? "it" : "them"), .badInput)
    }

    private var optionsOfAssertions: [String] {
        (record == nil ? [] : ["--record"]) + (counterPolicy == .reject ? [] : ["--counter-policy"])
    }

    private var optionsOfRegistrations: [String] {
        (algorithm.isEmpty ? [] : ["--algorithm"]) + attestation.given
    }

    /// The knowledge that the options give.
    private func settings() async throws -> CaptureSettings {
        let now = at?.time ?? RelyingPartyConfiguration.systemClock()
        var settings = CaptureSettings(now: now)
        settings.challenge = challenge
        settings.origins = origin
        settings.relyingPartyID = relyingPartyID
        settings.userVerification = userVerification
        settings.algorithms = algorithm.map(\.algorithm)
        settings.allowsCrossOrigin = crossOrigin
        settings.topOrigins = topOrigin
        settings.level = webauthnLevel
        settings.counterPolicy = counterPolicy
        settings.attestation = try await attestation.policy(now: now)
        if let record {
            let document = CaptureInput.Document(file: record)
            settings.record = try Self.about(record) { try CapturedRecord(parsing: try document.bytes.get()) }
        }
        return settings
    }

    private func verify(_ file: String, _ settings: CaptureSettings) async throws {
        let document = CaptureInput.Document(file: file)
        let capture = try Self.about(file) { try Capture(parsing: try document.bytes.get(), settings) }
        let report = await capture.verify()
        try requireEffect(at: [report.ceremony])
        try output.write(report) { CaptureDescription.lines(report) }
        switch report.result {
        case .accepted: break
        case .refused:
            throw CommandError("refused at \(CaptureDescription.steps(report.ledger.failures))", .checkFailed)
        case .unverified: throw CommandError("\(file): not verified: \(CaptureDescription.remedies(report))", .badInput)
        }
    }

    /// Ends with the status of the worst result.
    private static func conclude(_ counts: [CaptureVerdict.Result: Int]) throws {
        let total = counts.values.reduce(0, +)
        guard total > 0 else {
            throw CommandError("the files have no response; give files with a response in JSON", .badInput)
        }
        let bad = CaptureVerdict.Result.allCases.filter { $0 != .accepted }.compactMap { result in
            counts[result].map { "\($0) \(result.words)" }
        }
        guard !bad.isEmpty else { return Terminal.writeError("\(Wording.counted(total, "response")) accepted") }
        let isRefusal = counts[.unverified] == nil && counts[.unreadable] == nil
        throw CommandError(
            "of \(Wording.counted(total, "response")): \(bad.joined(separator: ", "))",
            isRefusal ? .checkFailed : .badInput)
    }

    /// Reads a file's content; an error names the file.
    private static func about<Content>(_ path: String, _ read: () throws -> Content) throws(CommandError) -> Content {
        do {
            return try read()
        } catch {
            throw CommandError("\(path): \(error)", .badInput)
        }
    }
}
