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

    private static func words(_ attestation: CaptureReport.Attestation) -> String {
        let trust =
            attestation.isModelProven
            ? "trusted, and proves the model"
            : attestation.isTrusted ? "trusted; the model is a claim" : "not trusted; the model is a claim"
        return "\(attestation.kind.rawValue), \(trust)"
    }

    private static func day(_ date: Date) -> String { date.formatted(.iso8601.year().month().day()) }
}
