internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import JWTKit
internal import LoopbackHTTP

/// JSON whose members are the properties' names in snake case, sorted, so that equal values have equal bytes.
enum SnakeCase {
    static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }()

    static let decoder: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }()

    static func reply(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
        Reply.json(bytes: Array(try encoder.encode(value)), status: status)
    }

    /// A collection of keys that reads and writes tokens so.
    static func keys() -> JWTKeyCollection {
        JWTKeyCollection(
            defaultJWTParser: DefaultJWTParser(jsonDecoder: decoder),
            defaultJWTSerializer: DefaultJWTSerializer(jsonEncoder: encoder))
    }

    static var serializer: DefaultJWTSerializer { DefaultJWTSerializer(jsonEncoder: encoder) }
    static var parser: DefaultJWTParser { DefaultJWTParser(jsonDecoder: decoder) }
}
