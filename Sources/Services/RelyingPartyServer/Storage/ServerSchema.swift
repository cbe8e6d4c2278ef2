internal import GRDB

/// The database's tables, as append-only migrations.
enum ServerSchema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 accounts, sessions, challenges, passkeys") { db in
            try db.execute(sql: accounts)
            try db.execute(sql: sessions)
            try db.execute(sql: challenges)
            try db.execute(sql: passkeys)
            try db.execute(sql: secrets)
        }
        migrator.registerMigration("2 sessions of a passkey, several challenges, attempts") { db in
            try db.execute(sql: sessionsOfAPasskey)
            try db.execute(sql: severalChallenges)
            try db.execute(sql: attempts)
        }
        migrator.registerMigration("3 sessions without a user") { db in
            try db.execute(sql: "CREATE INDEX anonymous_sessions ON sessions(id) WHERE user_id IS NULL")
        }
        return migrator
    }

    private static let accounts = """
        CREATE TABLE users (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            user_handle BLOB NOT NULL UNIQUE CHECK (length(user_handle) = 32),
            username TEXT NOT NULL UNIQUE COLLATE NOCASE,
            display_name TEXT NOT NULL,
            password_hash TEXT,
            created_at INTEGER NOT NULL
        ) STRICT;
        """

    // AUTOINCREMENT prevents the reuse of a session's id, because challenges are bound to it.
    private static let sessions = """
        CREATE TABLE sessions (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            token_hash BLOB NOT NULL UNIQUE CHECK (length(token_hash) = 32),
            user_id INTEGER REFERENCES users(id) ON DELETE CASCADE,
            authenticated_by TEXT CHECK (authenticated_by IN ('enrolment', 'password', 'passkey')),
            created_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            reauthenticated_at INTEGER
        ) STRICT;
        CREATE INDEX sessions_by_expiry ON sessions(expires_at);
        """

    private static let challenges = """
        CREATE TABLE challenges (
            challenge BLOB PRIMARY KEY NOT NULL CHECK (length(challenge) = 32),
            session_id INTEGER NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
            ceremony TEXT NOT NULL CHECK (ceremony IN ('registration', 'authentication')),
            user_id INTEGER REFERENCES users(id) ON DELETE CASCADE,
            expires_at INTEGER NOT NULL,
            used_at INTEGER,
            request TEXT NOT NULL,
            UNIQUE (session_id, ceremony)
        ) STRICT;
        """

    private static let passkeys = """
        CREATE TABLE passkey_credentials (
            credential_id BLOB PRIMARY KEY NOT NULL CHECK (length(credential_id) BETWEEN 1 AND 1023),
            user_id INTEGER NOT NULL REFERENCES users(id) ON DELETE CASCADE,
            public_key BLOB NOT NULL,
            aaguid TEXT NOT NULL CHECK (length(aaguid) = 36),
            device_name TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            last_used_at INTEGER,
            sign_count INTEGER NOT NULL CHECK (sign_count BETWEEN 0 AND 4294967295),
            uv_initialized INTEGER NOT NULL CHECK (uv_initialized IN (0, 1)),
            transports TEXT NOT NULL,
            attachment TEXT,
            backup_eligible INTEGER NOT NULL CHECK (backup_eligible IN (0, 1)),
            backup_state INTEGER NOT NULL CHECK (backup_state IN (0, 1)),
            relying_party_id TEXT NOT NULL,
            attestation_format TEXT NOT NULL,
            attestation_object BLOB NOT NULL,
            client_data_json BLOB NOT NULL
        ) STRICT;
        CREATE INDEX passkey_credentials_by_user ON passkey_credentials(user_id, created_at);
        """

    private static let secrets = """
        CREATE TABLE secrets (
            name TEXT PRIMARY KEY NOT NULL,
            value BLOB NOT NULL CHECK (length(value) = 32)
        ) STRICT;
        """

    private static let sessionsOfAPasskey = """
        ALTER TABLE sessions ADD COLUMN credential_id BLOB;
        """

    // SQLite cannot drop a constraint: a session had one challenge of each ceremony.
    private static let severalChallenges = """
        CREATE TABLE several_challenges (
            challenge BLOB PRIMARY KEY NOT NULL CHECK (length(challenge) = 32),
            session_id INTEGER NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
            ceremony TEXT NOT NULL CHECK (ceremony IN ('registration', 'authentication')),
            user_id INTEGER REFERENCES users(id) ON DELETE CASCADE,
            expires_at INTEGER NOT NULL,
            used_at INTEGER,
            request TEXT NOT NULL
        ) STRICT;
        INSERT INTO several_challenges SELECT challenge, session_id, ceremony, user_id, expires_at, used_at, request
            FROM challenges;
        DROP TABLE challenges;
        ALTER TABLE several_challenges RENAME TO challenges;
        CREATE INDEX challenges_by_session ON challenges(session_id, ceremony);
        """

    private static let attempts = """
        CREATE TABLE attempts (
            subject TEXT PRIMARY KEY NOT NULL,
            failures INTEGER NOT NULL,
            blocked_until INTEGER NOT NULL
        ) STRICT;
        """
}
