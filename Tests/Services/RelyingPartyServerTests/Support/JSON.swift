import Foundation
import Testing

/// A value's JSON, with members added or replaced.
func json(_ value: some Encodable, adding members: [String: any Sendable] = [:]) throws -> Data {
    let data = try JSONEncoder().encode(value)
    var object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    for (name, member) in members { object[name] = member }
    return try JSONSerialization.data(withJSONObject: object)
}
