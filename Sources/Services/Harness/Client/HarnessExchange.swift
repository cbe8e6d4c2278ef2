internal import Foundation
internal import RelyingParty
internal import WebAuthn

/// A request to a relying party, and its answer.
package struct HarnessExchange: Sendable {
    /// The method and the path.
    package let request: String
    /// The body of the request; empty for none.
    package let requestBody: [UInt8]
    /// The HTTP status.
    package let status: Int
    /// The body of the answer.
    package let body: [UInt8]
    /// The verdict on each response that it verified.
    package let verdicts: [HarnessEvent]

    /// Whether the status is 2xx.
    package var isSuccess: Bool { (200..<300).contains(status) }

    /// The body of an error.
    package struct Problem: Decodable, Sendable, CustomStringConvertible {
        /// The machine code.
        package let code: String
        let message: String

        package var description: String { "\(code): \(message)" }
    }

    /// The error; nil on success.
    package var problem: Problem? {
        guard !isSuccess else { return nil }
        return (try? decode([String: Problem].self))?["error"]
            ?? Problem(code: "http.\(status)", message: "the response has no JSON error")
    }

    /// Reads the body as JSON.
    package func decode<Body: Decodable>(_ type: Body.Type = Body.self) throws -> Body {
        try JSONDecoder().decode(type, from: Data(body))
    }

    /// The failed ledger steps of the verified responses.
    package var failedSteps: [String] { verdicts.flatMap(\.failedSteps) }

    /// The exchange in one line.
    package var line: String {
        verdicts.reduce("\(request) → \(status)" + (problem.map { " \($0.code)" } ?? "")) { line, verdict in
            let failed = verdict.failedSteps
            return failed.isEmpty
                ? "\(line), every ledger step passed"
                : "\(line), the ledger failed at \(failed.joined(separator: ", "))"
        }
    }
}

extension HarnessEvent {
    /// The failed ledger steps.
    package var failedSteps: [String] { ledger.failures.map(\.step.rawValue) }
}
