internal import GRDB

extension StoreSchema {
    /// The relation of a file's tables to this program.
    enum Form {
        /// A version of this program made them.
        case own
        /// A later version did.
        case later
        case foreign
    }

    /// A table, index, view or trigger, as SQLite describes it.
    private struct Object: Hashable {
        let type: String?
        let name: String?
        let table: String?
        let sql: String?

        init(_ row: Row) {
            func text(_ index: Int) -> String? { String.fromDatabaseValue(row[index]) }
            (type, name, table) = (text(0), text(1), text(2))
            sql = text(3).map(Self.normalized)
        }

        /// A statement with single spaces, none of them beside a parenthesis.
        private static func normalized(_ sql: String) -> String {
            sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                .replacing("( ", with: "(").replacing(" )", with: ")").replacing(" ,", with: ",")
        }
    }

    /// Compares all that SQLite would use with the tables that the versions of this program make; executes none of it.
    static func form(of db: Database) throws -> Form {
        let found = try objects(of: db)
        let isOwn = try versions.get().contains(found)
        // The list of versions is readable in a file whose other tables are not known.
        guard isOwn || found.contains(where: { $0.name == "grdb_migrations" && isVersionList($0) }) else {
            return .foreign
        }
        if try migrator.hasBeenSuperseded(db) { return .later }
        return isOwn ? .own : .foreign
    }

    private static func objects(of db: Database) throws -> Set<Object> {
        let rows = try Row.fetchAll(db, sql: "SELECT type, name, tbl_name, sql FROM sqlite_master LIMIT 100")
        return Set(rows.map(Object.init))
    }

    private static func isVersionList(_ object: Object) -> Bool {
        (try? versions.get())?.contains { $0.contains(object) } ?? false
    }

    /// The tables of each version.
    private static let versions = Result {
        try migrator.migrations.map { version in
            let queue = try DatabaseQueue()
            try migrator.migrate(queue, upTo: version)
            return try queue.read(objects)
        }
    }
}
