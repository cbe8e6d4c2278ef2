internal import Foundation

extension JSONValue {
    /// Reads JSON text in UTF-8.
    package init(parsing bytes: [UInt8]) throws { self = try JSONDecoder().decode(JSONValue.self, from: Data(bytes)) }

    /// The JSON value that another value encodes to.
    package init(encoding value: some Encodable) throws {
        try self.init(parsing: Array(try JSONEncoder().encode(value)))
    }

    /// The value as JSON text in UTF-8, on one line with sorted keys; throws for a number that is not finite.
    package func bytes() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(self))
    }
}
