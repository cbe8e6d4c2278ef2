internal import Documents
internal import Foundation
package import Hummingbird
internal import NIOCore

/// Reads request bodies, with a precise error for each problem.
package enum JSONBody {
    /// The largest accepted body of most requests, in bytes.
    package static let limit = 1 << 20

    /// The bytes of a JSON body; a body that is not empty must be declared as JSON, or as one of the given media types.
    ///
    /// - Parameter limit: the largest accepted body, in bytes.
    /// - Throws: also `json.malformed` for another encoding than UTF-8, and `json.repeated`: another reader of the body could
    ///   take the other value.
    package static func bytes(
        of request: Request, declaredAs types: [String] = ["application/json"], limit: Int = limit
    ) async throws -> [UInt8] {
        let bytes = try await content(of: request, declaredAs: types, limit: limit)
        try JSONText.check(bytes[...])
        return bytes
    }

    /// Checks that a request has no body, or an empty object, which says as little.
    ///
    /// - Throws: `body.unexpected`.
    package static func requireNone(of request: Request) async throws {
        let bytes: [UInt8]
        do {
            bytes = try await collected(request, limit)
        } catch let error as APIError where error == .bodyTooLarge(limit: limit) {
            throw APIError.bodyUnexpected
        }
        guard bytes.isEmpty || (try? JSONValue(parsing: bytes)) == [:] else { throw APIError.bodyUnexpected }
    }

    /// The bytes of a body; a body that is not empty must be declared as one of the media types.
    package static func content(
        of request: Request, declaredAs types: [String], limit: Int = limit
    ) async throws -> [UInt8] {
        let bytes = try await collected(request, limit)
        let type = request.headers[.contentType]?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
        guard bytes.isEmpty || types.contains(type?.lowercased() ?? "") else {
            throw APIError.contentTypeUnsupported(types)
        }
        return bytes
    }

    private static func collected(_ request: Request, _ limit: Int) async throws -> [UInt8] {
        if let length = request.headers[.contentLength].flatMap(Int.init), length > limit {
            throw APIError.bodyTooLarge(limit: limit)
        }
        do {
            return Array(try await request.body.collect(upTo: limit).readableBytesView)
        } catch is NIOTooManyBytesError {
            throw APIError.bodyTooLarge(limit: limit)
        } catch let error as CancellationError {
            throw error
        } catch {
            // For example a chunk with an invalid size.
            throw APIError.bodyUnreadable
        }
    }

    package static func read<Value: Decodable>(_ type: Value.Type = Value.self, of request: Request) async throws
        -> Value
    {
        try decode(type, from: try await bytes(of: request))
    }

    /// Reads a request's body; an empty one means `{}`.
    package static func readOptional<Value: Decodable>(of request: Request) async throws -> Value {
        let bytes = try await bytes(of: request)
        return try decode(Value.self, from: bytes.isEmpty ? Array("{}".utf8) : bytes)
    }

    package static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws(APIError) -> Value {
        guard !bytes.isEmpty else { throw .jsonMalformed("it is empty") }
        do {
            return try JSONDecoder().decode(type, from: Data(bytes))
        } catch let error as DecodingError {
            throw explain(error, bytes)
        } catch {
            throw .jsonMalformed("it cannot be read")
        }
    }

    private static func explain(_ error: DecodingError, _ bytes: [UInt8]) -> APIError {
        switch error {
        case .keyNotFound(let key, let context):
            return .jsonInvalidMember(path(context.codingPath + [key]), "is missing")
        case .valueNotFound(_, let context): return .jsonInvalidMember(path(context.codingPath), "is null")
        case .typeMismatch(let type, let context):
            let found = try? JSONValue(parsing: bytes).value(at: context.codingPath)
            return .jsonInvalidMember(
                path(context.codingPath), "must be \(JSONProblem.noun(type))" + (found.map { ", not \($0.noun)" } ?? "")
            )
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            return .jsonMalformed(JSONMistake(in: bytes).map(\.description) ?? "it has a syntax error")
        case .dataCorrupted(let context) where context.debugDescription.contains("base64url"):
            return .base64URLMalformed(path(context.codingPath))
        case .dataCorrupted(let context):
            return .jsonInvalidMember(path(context.codingPath), "has a value that is not allowed")
        @unknown default:
            return .jsonMalformed("it cannot be read")
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        keys.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    }
}
