internal import Foundation
internal import GRDB
internal import Synchronization
internal import WebAuthn

/// A row of a table, whose columns are the properties' names in snake case.
///
/// The rows that every request reads and writes name their columns themselves: `Codable` takes many times as long.
protocol TableRow: Codable, FetchableRecord, TableRecord, EncodableRecord, Sendable {}

extension TableRow {
    static var databaseColumnDecodingStrategy: DatabaseColumnDecodingStrategy {
        .custom { ColumnName(stringValue: ColumnName.properties.of($0)) }
    }
    static var databaseColumnEncodingStrategy: DatabaseColumnEncodingStrategy {
        .custom { ColumnName.columns.of($0.stringValue) }
    }

    /// The row with a value in a unique column; the statement is prepared once.
    static func find(_ column: String, _ value: (any DatabaseValueConvertible)?, _ db: Database) throws -> Self? {
        let statement = try db.cachedStatement(sql: "SELECT * FROM \(databaseTableName) WHERE \(column) = ?")
        return try fetchOne(statement, arguments: [value])
    }
}

/// The property that a column belongs to.
private struct ColumnName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }

    /// The names in snake case, by those of properties.
    static let columns = Names { name in
        name.reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) }
    }
    /// The names of properties, by those of columns.
    static let properties = Names { name in
        let words = name.split(separator: "_")
        return words.dropFirst().reduce(into: String(words.first ?? "")) {
            $0 += $1.prefix(1).uppercased() + $1.dropFirst()
        }
    }

    /// Names that are converted once: a row has many, and rows are read all the time.
    final class Names: Sendable {
        private let known = Mutex<[String: String]>([:])
        private let convert: @Sendable (String) -> String

        init(_ convert: @escaping @Sendable (String) -> String) { self.convert = convert }

        func of(_ name: String) -> String {
            known.withLock { known in
                if let found = known[name] { return found }
                let converted = convert(name)
                known[name] = converted
                return converted
            }
        }
    }
}

/// The bytes of a column; base64url in JSON.
struct Blob: Codable, Hashable, Sendable, DatabaseValueConvertible {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }
    init(from decoder: any Decoder) throws { bytes = try Base64URLBytes(from: decoder).bytes }

    func encode(to encoder: any Encoder) throws { try Base64URLBytes(bytes).encode(to: encoder) }

    var databaseValue: DatabaseValue { Data(bytes).databaseValue }

    static func fromDatabaseValue(_ value: DatabaseValue) -> Blob? {
        Data.fromDatabaseValue(value).map { Blob(Array($0)) }
    }
}
