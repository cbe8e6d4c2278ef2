internal import CTAP
internal import Captures
internal import Decoding
internal import Documents
internal import ErrorSearch
internal import ModelContext
internal import PlatformErrors
internal import RelyingParty
internal import RelyingPartyServer
internal import Trace
internal import WebAuthn
internal import Wording

extension Bench {
    var lookupTools: [ContextTool] { [errorTool, verifyTool, decodeTool] }

    // MARK: Errors

    /// The most causes, and the most errors of each, in an answer.
    private static let mostCauses = 5
    private static let mostErrors = 12

    private var errorTool: ContextTool {
        ContextTool(
            "look_up_error", title: "Look an error up",
            """
            Find the causes behind an error of a page, an app, an SDK or CTAP, the most certain first: a code, a name, a sentence, a line \
            of a log, a stack trace, or a cause such as lockedOut.permanent.
            """,
            .reading,
            input: .object(
                .required(
                    "text", .string(1...20_000), "For example \"LAError -8\", \"status = -25300\" or UV_BLOCKED."),
                .optional(
                    "platform", .choice(Platform.allCases.map(\.rawValue)), "Only the errors of one platform."))
        ) { value, _ in
            let arguments = Arguments(value)
            let filter = PlatformErrorFilter(platform: arguments.text("platform").flatMap(Platform.init))
            let text = arguments.text("text") ?? ""
            let answer = PlatformErrorSearch.shared.find(text, where: filter.includes)
            guard !answer.findings.isEmpty else {
                let near =
                    answer.near.isEmpty
                    ? "; give the code, the name or the whole sentence of an error"
                    : "; did you mean \(answer.near.joined(separator: ", "))?"
                throw ToolFailure(
                    "error.unknown", Wording.sentence("The text names no error that is known\(filter.words)" + near))
            }
            var result: [String: JSONValue] = [
                "causes": .array(answer.findings.prefix(Self.mostCauses).map { Self.cause($0, filter) })
            ]
            let left = answer.findings.count - Self.mostCauses
            if left > 0 { result["moreCauses"] = .integer(left) }
            return try ToolAnswer(.object(result))
        }
    }

    private static func cause(_ finding: PlatformErrorSearch.Finding, _ filter: PlatformErrorFilter) -> JSONValue {
        let cells = finding.cells.isEmpty ? nil : finding.cells
        let row = PlatformErrorDescription(finding.outcome, filter, cells: cells)
        return [
            "cause": .text(row.outcome), "meaning": .text(row.meaning), "from": .text(row.from),
            "errors": .array(
                row.errors.prefix(mostErrors).map { error in
                    var members: [String: JSONValue] = [
                        "interface": .text(error.interface), "name": .text(error.name),
                    ]
                    members["code"] = error.written.map(JSONValue.text)
                    if !error.place.isEmpty { members["where"] = .text(error.place) }
                    members["note"] = error.note.map(JSONValue.text)
                    members["advice"] = error.advice.map(JSONValue.text)
                    if error.unverified { members["confirmed"] = false }
                    return .object(members)
                }),
        ]
    }

    // MARK: Captures

    private var verifyTool: ContextTool {
        ContextTool(
            "verify_response", title: "Verify a response",
            """
            Verify a captured registration or assertion step by step, as its relying party should have. Returns the verdict and the \
            failed steps with their reasons; for an accepted registration also the record that an assertion needs.
            """,
            .reading, input: Capture.form
        ) { value, _ in
            let report: CaptureReport
            do {
                let settings = CaptureSettings(now: RelyingPartyConfiguration.systemClock())
                report = await (try Capture(parsing: try value.bytes(), settings)).verify()
            } catch {
                throw ToolFailure("response.unreadable", because: error)
            }
            var result: [String: JSONValue] = [
                "ceremony": .text(report.ceremony.rawValue), "result": .text(report.result.rawValue),
                "relyingPartyId": .text(report.relyingPartyID),
            ]
            if !report.ledger.failures.isEmpty { result["failedSteps"] = .array(report.ledger.failures.map(Self.step)) }
            if !report.ledger.flagged.isEmpty { result["flaggedSteps"] = .array(report.ledger.flagged.map(Self.step)) }
            if !report.missing.isEmpty { result["missing"] = .array(report.missing.map { .text($0.rawValue) }) }
            if !report.notes.isEmpty { result["notes"] = .array(report.notes.map(JSONValue.text)) }
            result["record"] = try report.record.map { try JSONValue(encoding: $0) }
            return try ToolAnswer(.object(result))
        }
    }

    private static func step(_ entry: LedgerEntry) -> JSONValue {
        [
            "step": .text(entry.step.rawValue), "title": .text(entry.step.title), "clause": .text(entry.step.clause),
            "reasons": .array(entry.outcome.reasons.map { .text("\($0.label.rawValue): \($0.explanation)") }),
        ]
    }

    // MARK: Bytes

    /// The longest answer, in characters.
    private static let longestDecoding = 20_000

    private var decodeTool: ContextTool {
        ContextTool(
            "decode", title: "Decode bytes or a log",
            """
            Show pasted bytes or a log member by member, with the violated rules: CTAP messages, authenticator data, attestation objects, \
            keys, client data, certificates, the debug output of libfido2 and others. Secrets are masked.
            """,
            .reading,
            input: .object(
                .required("input", .string(1...1_000_000), "Hexadecimal, base64, a dump, PEM, JSON or a log."),
                .optional(
                    "as", .choice(DecodedKind.allCases.map(\.rawValue)), "The kind; default: the one that fits best."),
                .optional(
                    "to", .choice(CTAPCommand.all.compactMap(\.name)), "The command that a response answers."))
        ) { value, _ in
            let arguments = Arguments(value)
            let command = arguments.text("to").flatMap { name in CTAPCommand.all.first { $0.name == name } }
            var decoded: DecodedInput
            do {
                decoded = try DecodedInput(
                    Array((arguments.text("input") ?? "").utf8),
                    as: arguments.text("as").flatMap(DecodedKind.init), answering: command)
            } catch {
                throw ToolFailure("input.unreadable", because: error)
            }
            if let command, decoded.kind != .response, decoded.kind != .getInfo || command != .getInfo {
                throw ToolFailure(
                    "member.idle", "“to” has no effect: the input is \(decoded.kind.words); leave it out.")
            }
            decoded.parts = decoded.parts.map(\.masked)
            return ToolAnswer(Self.lines(of: decoded))
        }
    }

    /// The parts as text, as far as an answer may be long.
    private static func lines(of decoded: DecodedInput) -> String {
        var lines = ["Read as \(decoded.kind.words): \(decoded.form)."]
        var length = 0
        for (place, part) in decoded.parts.enumerated() {
            let number = decoded.parts.count > 1 ? "#\(place + 1) " : ""
            let line = part.line.map { ", line \($0)" } ?? ""
            var own = ["\(number)\(part.title), " + Wording.counted(part.length, "byte") + line]
            own += part.fields.flatMap { $0.lines(indent: 2) }
            own += part.problems.map { "  wrong: \($0.text)" + ($0.clause.map { " (\($0))" } ?? "") }
            length += own.reduce(0) { $0 + $1.count }
            guard length <= longestDecoding else {
                let left = decoded.parts.count - place
                lines.append("\(Wording.counted(left, "part")) more; give a smaller input to see the rest.")
                break
            }
            lines += own
        }
        let problems = decoded.parts.map(\.problems.count).reduce(0, +)
        lines.append(problems == 0 ? "No problem was found." : Wording.counted(problems, "problem") + ".")
        return lines.joined(separator: "\n")
    }
}
