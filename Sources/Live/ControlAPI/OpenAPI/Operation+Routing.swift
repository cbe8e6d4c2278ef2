internal import Documents
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import LoopbackHTTP
internal import ServiceLifecycle

extension Operation {
    func add(to routes: inout RouteTable) {
        let pattern = path.replacing("{", with: ":").replacing("}", with: "")
        routes.add(method, pattern) { request, context in
            guard mayWaitForUser else { return try await perform(try await call(request, context.parameters)) }
            // A closed connection or a stopping server cancels the request.
            return try await cancelWhenGracefulShutdown {
                try await context.cancelOnDisconnect {
                    try await perform(try await call(request, context.parameters))
                }
            }
        }
    }

    private func call(_ request: Request, _ found: Parameters) async throws -> Call {
        var path: [String: String] = [:]
        for parameter in pathParameters {
            guard let text = found.get(parameter.name)?.removingPercentEncoding else {
                throw APIError.pathInvalid("The path is not percent-encoded UTF-8.")
            }
            try check(text, parameter, or: APIError.pathInvalid)
            path[parameter.name] = text
        }
        let query = try query(request.uri.query)
        for parameter in parameters where parameter.isHeader {
            guard let name = HTTPField.Name(parameter.name), let text = request.headers[name] else { continue }
            try check(text, parameter)
        }
        return Call(
            path: path, query: query, authority: request.head.authority, headers: request.headers,
            body: try await json(request))
    }

    private func json(_ request: Request) async throws -> JSONValue {
        guard let schema = self.body else {
            // Clients of WebDriver send what they like with commands that have no parameters.
            if dialect == .api { try await JSONBody.requireNone(of: request) }
            return .null
        }
        let bytes = try await JSONBody.bytes(of: request, limit: bodyLimit)
        let value = try JSONBody.decode(JSONValue.self, from: bytes)
        try schema.check(value)
        return value
    }

    private func query(_ text: String?) throws -> [String: JSONValue] {
        var values: [String: JSONValue] = [:]
        for pair in (text ?? "").split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let decoded = parts.map { $0.replacing("+", with: " ").removingPercentEncoding }
            guard let name = decoded.first ?? nil, let value = decoded.count == 2 ? decoded[1] : "" else {
                throw APIError.queryInvalid("The query is not percent-encoded UTF-8.")
            }
            guard let parameter = parameters.first(where: { $0.name == name && !$0.isHeader }) else {
                throw APIError.queryInvalid("“\(name)” is not a parameter of this endpoint.")
            }
            guard values.updateValue(try check(value, parameter), forKey: name) == nil else {
                throw APIError.queryInvalid("“\(name)” is given twice.")
            }
        }
        return values
    }

    @discardableResult
    private func check(
        _ text: String, _ parameter: Parameter, or invalid: (String) -> APIError = APIError.queryInvalid
    ) throws(APIError) -> JSONValue {
        let value: JSONValue =
            if case .integer = parameter.schema { Int(text).map(JSONValue.integer) ?? .text(text) } else { .text(text) }
        do {
            try parameter.schema.check(value, at: parameter.name)
        } catch {
            throw invalid(error.message)
        }
        return value
    }
}
