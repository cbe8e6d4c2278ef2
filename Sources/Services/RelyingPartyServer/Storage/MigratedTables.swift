internal import GRDB
internal import Synchronization

/// The tables of databases in memory, which are migrated once in a process and copied from then on.
enum MigratedTables {
    private static let made = Mutex<[[String]: DatabaseQueue]>([:])

    /// Copies the migrated tables and their rows into an empty database.
    static func copy(_ migrators: [DatabaseMigrator], to database: DatabaseQueue) throws {
        let tables = try made.withLock { made in
            let names = migrators.flatMap(\.migrations)
            if let known = made[names] { return known }
            let queue = try DatabaseQueue()
            for migrator in migrators { try migrator.migrate(queue) }
            made[names] = queue
            return queue
        }
        try tables.backup(to: database)
    }
}
