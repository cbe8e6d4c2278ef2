/// The first violation of JSON's syntax in a text: its place and what is wrong, in words.
package struct JSONMistake: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line, counted from 1.
    package let line: Int
    /// The character in the line, counted from 1.
    package let column: Int
    /// The member around the place, such as `response.id`; empty in the outermost value.
    package let member: String
    /// The mistake, and what to do.
    package let message: String

    /// Nil for a text that is JSON.
    ///
    /// - Parameter refusingRepeatedNames: whether an object with two members of one name is a mistake, as I-JSON has it
    ///   (RFC 7493 §2.3).
    package init?(in bytes: [UInt8], refusingRepeatedNames: Bool = false) {
        var walk = JSONWalk(bytes)
        walk.refusesRepeatedNames = refusingRepeatedNames
        do throws(JSONWalk.Mistake) {
            try walk.run()
            return nil
        } catch {
            let place = JSONWalk.place(of: error.position, in: bytes)
            (line, column, member, message) = (place.line, place.column, error.member, error.message)
        }
    }

    package var description: String {
        "line \(line), column \(column)\(member.isEmpty ? "" : ", in `\(member)`"): \(message)"
    }
}

/// Where a member stands in a JSON text.
package struct JSONPlace: Hashable, Sendable, CustomStringConvertible {
    package let line: Int
    package let column: Int

    /// The place of a member's value; nil where the text has no such member or is not JSON.
    package init?(of path: [any CodingKey], in bytes: [UInt8]) {
        self.init(of: path.map { $0.intValue.map(String.init) ?? $0.stringValue }, in: bytes)
    }

    /// The place of a member's value, by the names and indices on the way to it.
    package init?(of path: [String], in bytes: [UInt8]) {
        var walk = JSONWalk(bytes)
        guard (try? walk.run(until: path)) != nil, let found = walk.found else { return nil }
        (line, column) = JSONWalk.place(of: found, in: bytes)
    }

    package var description: String { "line \(line), column \(column)" }
}
