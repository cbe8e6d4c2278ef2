internal import GRDB

/// The services' tables in the server's database, as append-only migrations.
enum GatewaySchema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("services 1 members, gateway") { db in
            try db.execute(sql: MemberSchema.first)
            try db.execute(sql: gateway)
            try MemberSchema.addResidents(db)
        }
        migrator.registerMigration("services 2 mailbox, authsignal") { db in
            try db.execute(sql: Mailbox.schema)
            try db.execute(sql: Authsignal.schema)
        }
        migrator.registerMigration("services 3 verified addresses, step-up") { db in
            try db.execute(
                sql: """
                    ALTER TABLE gateway_users ADD COLUMN email_verified INTEGER NOT NULL DEFAULT 0
                        CHECK (email_verified IN (0, 1));
                    ALTER TABLE gateway_users ADD COLUMN member_id TEXT;
                    ALTER TABLE gateway_sessions ADD COLUMN stepped_up_at INTEGER;
                    ALTER TABLE gateway_sessions ADD COLUMN installation TEXT;
                    """)
        }
        migrator.registerMigration("services 4 codes by purpose") { db in try db.execute(sql: Authsignal.codeSchema) }
        migrator.registerMigration("services 5 organisations") { db in
            try db.execute(sql: MemberSchema.organisations)
            try db.execute(sql: organisations)
            try MemberSchema.addColleagues(db)
        }
        return migrator
    }

    private static let organisations = """
        CREATE TABLE new_gateway_users (
            id TEXT PRIMARY KEY NOT NULL,
            account_id INTEGER NOT NULL UNIQUE REFERENCES users(id) ON DELETE CASCADE,
            email TEXT NOT NULL UNIQUE COLLATE NOCASE,
            name TEXT NOT NULL,
            role TEXT NOT NULL CHECK (role IN ('peer-mentor', 'coordinator', 'organization-administrator')),
            organisation TEXT CHECK (organisation IN ('nordlys', 'havblikk', 'fjellheim')),
            identity_verified INTEGER NOT NULL CHECK (identity_verified IN (0, 1)),
            email_verified INTEGER NOT NULL CHECK (email_verified IN (0, 1)),
            member_id TEXT,
            national_id TEXT,
            logins INTEGER NOT NULL
        ) STRICT;
        INSERT INTO new_gateway_users
            SELECT id, account_id, email, name,
                CASE WHEN member_id IS NULL THEN 'peer-mentor' ELSE \(MemberSchema.presentRole) END,
                (SELECT organisation FROM members WHERE members.id = member_id), identity_verified, email_verified,
                member_id, national_id, logins
            FROM gateway_users;
        DROP TABLE gateway_users;
        ALTER TABLE new_gateway_users RENAME TO gateway_users;
        """

    // A session that a passkey opened ends with the passkey.
    private static let gateway = """
        CREATE TABLE gateway_users (
            id TEXT PRIMARY KEY NOT NULL,
            account_id INTEGER NOT NULL UNIQUE REFERENCES users(id) ON DELETE CASCADE,
            email TEXT NOT NULL UNIQUE COLLATE NOCASE,
            name TEXT NOT NULL,
            role TEXT NOT NULL CHECK (role IN ('member', 'leader', 'administrator')),
            identity_verified INTEGER NOT NULL CHECK (identity_verified IN (0, 1)),
            national_id TEXT,
            logins INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE gateway_identities (
            login TEXT PRIMARY KEY NOT NULL,
            user_id TEXT NOT NULL REFERENCES gateway_users(id) ON DELETE CASCADE
        ) STRICT;
        CREATE TABLE gateway_sessions (
            id TEXT PRIMARY KEY NOT NULL,
            user_id TEXT NOT NULL REFERENCES gateway_users(id) ON DELETE CASCADE,
            method TEXT NOT NULL,
            credential_id BLOB REFERENCES passkey_credentials(credential_id) ON DELETE CASCADE,
            created_at INTEGER NOT NULL,
            refreshed_at INTEGER NOT NULL,
            counter INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX gateway_sessions_by_user ON gateway_sessions(user_id);
        CREATE TABLE gateway_submissions (
            user_id TEXT NOT NULL REFERENCES gateway_users(id) ON DELETE CASCADE,
            kind TEXT NOT NULL,
            idempotency_key TEXT NOT NULL,
            id TEXT NOT NULL,
            content TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            PRIMARY KEY (user_id, kind, idempotency_key)
        ) STRICT;
        """
}
