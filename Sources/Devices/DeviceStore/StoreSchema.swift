internal import GRDB

/// The tables of a state file, as migrations: new ones are appended, existing ones never change.
enum StoreSchema {
    /// `TSTN`, in the header of every state file (SQLite's `application_id`).
    static let applicationID: UInt32 = 0x5453_544E

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 meta, state, credentials, counters, secrets") { db in
            try db.execute(sql: meta)
            try db.execute(sql: state)
            try db.execute(sql: credentials)
            try db.execute(sql: secrets)
        }
        migrator.registerMigration("2 apps, vault, life") { db in
            try db.execute(sql: apps)
            try db.execute(sql: vault)
        }
        migrator.registerMigration("3 no index by relying party") { db in
            try db.execute(sql: "DROP INDEX credentials_by_relying_party")
        }
        return migrator
    }

    // `meta` and `state` have one row each.
    private static let meta = """
        CREATE TABLE meta (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            profile_name TEXT NOT NULL,
            profile_text TEXT NOT NULL,
            aaguid BLOB NOT NULL CHECK (length(aaguid) = 16),
            created_at INTEGER NOT NULL,
            scrypt_salt BLOB,
            scrypt_rounds INTEGER,
            scrypt_block_size INTEGER,
            scrypt_parallelism INTEGER,
            seal_check BLOB
        ) STRICT;
        """

    private static let state = """
        CREATE TABLE state (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            settings BLOB,
            global_counter INTEGER NOT NULL CHECK (global_counter BETWEEN 0 AND 4294967295),
            large_blobs BLOB
        ) STRICT;
        INSERT INTO state (id, global_counter) VALUES (1, 0);
        """

    private static let credentials = """
        CREATE TABLE credentials (
            id BLOB PRIMARY KEY NOT NULL,
            rp_id_hash BLOB NOT NULL CHECK (length(rp_id_hash) = 32),
            content BLOB NOT NULL
        ) STRICT;
        CREATE INDEX credentials_by_relying_party ON credentials(rp_id_hash);
        CREATE TABLE sealed_counters (
            credential_hash BLOB PRIMARY KEY NOT NULL CHECK (length(credential_hash) = 32),
            value INTEGER NOT NULL CHECK (value BETWEEN 0 AND 4294967295)
        ) STRICT, WITHOUT ROWID;
        """

    private static let secrets = """
        CREATE TABLE secrets (
            name TEXT PRIMARY KEY NOT NULL,
            content BLOB NOT NULL
        ) STRICT;
        """

    // In version 1 all secrets belonged to one app.
    private static let apps = """
        CREATE TABLE new_secrets (
            app TEXT NOT NULL,
            name TEXT NOT NULL,
            content BLOB NOT NULL,
            PRIMARY KEY (app, name)
        ) STRICT;
        INSERT INTO new_secrets (app, name, content) SELECT 'app', name, content FROM secrets;
        DROP TABLE secrets;
        ALTER TABLE new_secrets RENAME TO secrets;
        """

    // The keys of the secrets; the state of screen, network and apps.
    private static let vault = """
        CREATE TABLE vault (
            app TEXT NOT NULL,
            name TEXT NOT NULL,
            key BLOB NOT NULL,
            PRIMARY KEY (app, name)
        ) STRICT;
        ALTER TABLE state ADD COLUMN life BLOB;
        """
}
