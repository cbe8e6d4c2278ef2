internal import CTAP
internal import Tables

/// Renders a request and its answer as lines of text, with the secrets of the answer masked.
package enum ExchangeText {
    /// A CTAP2 request: the command, then its parameters.
    ///
    /// Nothing is masked: a suite sends bytes of its own, and what depends on a user's PIN is encrypted with a key that no text has.
    package static func request(_ message: [UInt8]) -> [String] {
        let request = MessageDecoder.request(message)
        return [TerminalText.escaped(request.sentence)] + lines(request.message)
    }

    /// The answer to a CTAP2 request: the status, then the response's members.
    package static func response(_ answer: [UInt8], to message: [UInt8]) -> [String] {
        let response = MessageDecoder.response(answer, to: message)
        return [response.status?.description ?? "an empty answer"] + lines(response.message.masked)
    }

    package static func u2fRequest(_ apdu: [UInt8]) -> [String] {
        let request = U2FDecoder.request(apdu)
        return [TerminalText.escaped(request.sentence)] + lines(request.message)
    }

    package static func u2fResponse(_ answer: [UInt8], to apdu: [UInt8]) -> [String] {
        let response = U2FDecoder.response(answer, to: apdu)
        return [response.word.map(U2FDecoder.description) ?? "an answer without a status word"]
            + lines(response.message.masked)
    }

    /// Evidence has whole credential IDs and damaged messages.
    private static let text = FieldText(longestBytes: 2048)

    private static func lines(_ message: TraceMessage) -> [String] {
        let problem = message.problem.map { ["not canonical CBOR: \($0)"] } ?? []
        let lines = problem + message.fields.flatMap { text.lines($0, indent: 2) }
        return lines.map { TerminalText.escaped($0) }
    }
}
