internal import GRDB
internal import LoopbackHTTP

/// A row of `attempts`: the attempts at a password since the last success, for one account name or from one address.
private struct Attempts: TableRow, PersistableRecord {
    static let databaseTableName = "attempts"

    let subject: String
    var failures = 0
    var blockedUntil = Timestamp(rawValue: 0)

    static func find(_ subject: String, _ db: Database) throws -> Attempts {
        try fetchOne(db, key: subject) ?? Attempts(subject: subject)
    }
}

/// Limits attempts at a password per account name and per address.
///
/// An attempt counts as a failure until it succeeds, so that concurrent attempts do not pass the limit together. An
/// unknown name is limited like a known one. Passkeys need no such limit: a signature cannot be guessed.
struct PasswordAttempts: Sendable {
    let limits: AttemptLimits
    let username: String
    let address: String?

    /// Each counter with its number of free attempts.
    private var counters: [(subject: String, free: Int)] {
        [("account \(username.asciiLowercased)", limits.perAccount)]
            + (address.map { [("address \($0)", limits.perAddress)] } ?? [])
    }

    /// Counts an attempt; throws `attempts.tooMany` before the wait is over.
    func begin(at now: Timestamp, _ db: Database) throws {
        let rows = try counters.map { (row: try Attempts.find($0.subject, db), free: $0.free) }
        if let blocked = rows.map(\.row.blockedUntil).max(), blocked > now {
            throw APIError.attemptsTooMany(wait: blocked - now)
        }
        for (row, free) in rows {
            var row = row
            row.failures += 1
            if row.failures >= free { row.blockedUntil = now + wait(after: row.failures - free) }
            try row.save(db)
        }
    }

    /// Removes the attempt and the account's earlier failures after a correct password.
    func succeed(_ db: Database) throws {
        for (index, counter) in counters.enumerated() {
            var row = try Attempts.find(counter.subject, db)
            row.failures = index == 0 ? 0 : max(0, row.failures - 1)
            row.blockedUntil = Timestamp(rawValue: 0)
            try row.save(db)
        }
    }

    private func wait(after surplus: Int) -> Duration {
        min(limits.firstWait * (1 << min(surplus, 20)), limits.longestWait)
    }
}

extension String {
    /// The text with the letters A to Z in lower case, as the database compares user names.
    var asciiLowercased: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.map { ("A"..."Z").contains($0) ? Unicode.Scalar($0.value + 32) ?? $0 : $0 }))
    }
}
