import Captures
import Foundation
import RelyingParty
import Tables
import Trace
import WebAuthn

/// The verdict on a captured response, for the terminal.
enum CaptureDescription {
    static func lines(_ report: CaptureReport) -> [String] {
        var lines = [
            "\(report.ceremony.rawValue) for \(report.relyingPartyID) at \(report.origins.joined(separator: ", "))"
        ]
        lines.append("judged at \(report.moment.formatted(.iso8601))")
        lines += report.notes.map { "note: " + $0 }
        if let clientData = report.clientData { lines += ["", "client data", "  " + clientData] }
        lines += ["", report.ceremony == .registration ? "attestation object" : "authenticator data"]
        lines += report.authenticator.flatMap { $0.lines(indent: 2) }
        for certificate in report.certificates {
            let (from, to) = (day(certificate.notBefore), day(certificate.notAfter))
            lines += [
                "", "certificate", "  subject: \(certificate.subject)", "  issuer: \(certificate.issuer)",
                "  valid: \(from) to \(to)",
            ]
        }
        if let attestation = report.attestation {
            lines += [
                "", "attestation \(attestation.format)" + (attestation.kind == .none ? "" : ": " + words(attestation)),
            ]
        }
        // A page chooses the client data, and a device every text of its answer.
        lines = lines.map { TerminalText.escaped($0, keepsLines: false, keepsStyles: false) }
        lines += [""] + LedgerDescription.lines(report.ledger)
        if report.accepted { lines += ["", "accepted"] }
        return lines
    }

    /// The names of steps.
    static func steps(_ entries: [LedgerEntry]) -> String { entries.map(\.step.rawValue).joined(separator: ", ") }

    /// The names of steps, each with its reasons.
    static func reasons(_ entries: [LedgerEntry]) -> String {
        entries.map { entry in
            let reasons = entry.outcome.reasons.map { "\($0.label.rawValue), \($0.explanation)" }
            return "\(entry.step.rawValue) (\(reasons.joined(separator: "; ")))"
        }.joined(separator: ", ")
    }

    /// The missing knowledge, and the way to give it.
    static func remedies(_ report: CaptureReport) -> String {
        report.missing.isEmpty ? "a step was not reached" : report.missing.map(\.words).joined(separator: "; ")
    }

    private static func words(_ attestation: CaptureReport.Attestation) -> String {
        let trust =
            attestation.isModelProven
            ? "trusted, and proves the model"
            : attestation.isTrusted ? "trusted; the model is a claim" : "not trusted; the model is a claim"
        return "\(attestation.kind.rawValue), \(trust)"
    }

    private static func day(_ date: Date) -> String { date.formatted(.iso8601.year().month().day()) }
}
