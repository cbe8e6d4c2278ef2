internal import Foundation
internal import GRDB
internal import WebAuthn

/// A row of a table, whose columns are the properties' names in snake case.
protocol TableRow: Codable, FetchableRecord, TableRecord, EncodableRecord, Sendable {}

extension TableRow {
    static var databaseColumnDecodingStrategy: DatabaseColumnDecodingStrategy { .convertFromSnakeCase }
    static var databaseColumnEncodingStrategy: DatabaseColumnEncodingStrategy { .convertToSnakeCase }

    /// The row with a value in a unique column; the statement is prepared once.
    static func find(_ column: String, _ value: (any DatabaseValueConvertible)?, _ db: Database) throws -> Self? {
        let statement = try db.cachedStatement(sql: "SELECT * FROM \(databaseTableName) WHERE \(column) = ?")
        return try fetchOne(statement, arguments: [value])
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
