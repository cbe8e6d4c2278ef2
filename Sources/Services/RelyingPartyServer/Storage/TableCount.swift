package import GRDB

/// A table of the relying party's database, and the number of its rows.
package struct TableCount: Sendable {
    package let name: String
    package let rows: Int
}

extension TableCount {
    /// The names of the tables of a new database.
    package static func names(services: [DatabaseMigrator]) throws -> [String] {
        try RelyingPartyDatabase.open(path: nil, services: services).read(names)
    }

    fileprivate static func names(_ db: Database) throws -> [String] {
        try String.fetchAll(
            db,
            sql: """
                SELECT name FROM sqlite_master WHERE type = 'table'
                AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'grdb_%' ORDER BY name
                """)
    }
}

extension RelyingPartyServer {
    package func tables() async throws -> [TableCount] {
        try await service.database.snapshot { db in
            let names = try TableCount.names(db)
            return try names.map { TableCount(name: $0, rows: try Table($0).fetchCount(db)) }
        }
    }
}
