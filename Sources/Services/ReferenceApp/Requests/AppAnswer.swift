internal import Foundation

/// The answer to a request.
package enum AppAnswer: Hashable, Sendable {
    case response(status: Int, body: String)
    /// No connection, or no answer in time.
    case unreachable

    /// Whether the service failed, as opposed to a refusal of the request.
    var isOutage: Bool {
        switch self {
        case .response(let status, _): status >= 500
        case .unreachable: true
        }
    }

    /// The body of a success; nil for a refusal or a body of another form.
    func value<Value: Decodable>(_ type: Value.Type = Value.self) -> Value? {
        guard case .response(let status, let body) = self, (200..<300).contains(status) else { return nil }
        return try? JSONDecoder().decode(Value.self, from: Data(body.utf8))
    }

    var isSuccess: Bool { if case .response(let status, _) = self { (200..<300).contains(status) } else { false } }

    /// The machine code of a refusal; empty for none.
    var code: String {
        guard case .response(_, let body) = self else { return "" }
        let problem = try? JSONDecoder().decode(Problem.self, from: Data(body.utf8))
        return problem?.code ?? problem?.error?.code ?? problem?.flatCode ?? problem?.errorCode ?? problem?.type ?? ""
    }

    /// The forms of errors: the gateway's `error_code`, the relying party's, Authsignal's and Cognito's.
    private struct Problem: Decodable {
        struct Nested: Decodable { var code: String? }

        var code: String?
        var error: Nested?
        var errorCode: String?
        var flatCode: String?
        var type: String?

        private enum CodingKeys: String, CodingKey {
            case code, error, errorCode
            case flatCode = "error_code"
            case type = "__type"
        }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            code = try? values.decode(String.self, forKey: .code)
            error = try? values.decode(Nested.self, forKey: .error)
            errorCode = try? values.decode(String.self, forKey: .errorCode)
            flatCode = try? values.decode(String.self, forKey: .flatCode)
            type = try? values.decode(String.self, forKey: .type)
        }
    }
}
