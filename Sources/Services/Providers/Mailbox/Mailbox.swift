internal import Foundation
internal import GRDB
internal import Hummingbird
internal import LoopbackHTTP
internal import RelyingPartyServer

/// The mailbox's settings that a test changes.
package struct MailboxSettings: Hashable, Sendable {
    /// Whether messages are accepted and never arrive.
    package var losesMessages = false
    package var delay = Duration.zero

    package init() {}
}

/// Delivers e-mail with codes, and shows it.
struct Mailbox: Sendable {
    let site: RelyingPartySite
    let conditions: ServiceConditions

    static let schema = """
        CREATE TABLE mailbox_messages (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            address TEXT NOT NULL COLLATE NOCASE,
            subject TEXT NOT NULL,
            text TEXT NOT NULL,
            code TEXT NOT NULL,
            arrives_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX mailbox_messages_by_address ON mailbox_messages(address);
        """

    /// The names of the endpoints in the journal.
    enum Endpoint: String, CaseIterable {
        case read
    }

    private struct Message: Encodable {
        let arrivedAt: String
        let subject: String
        let text: String
        let code: String
    }

    func add(to routes: inout RouteTable, through door: ServiceDoor) {
        routes.add(
            .get, "/mailbox/:address",
            door.handler(.mailbox, Endpoint.read.rawValue) { _, context in
                let address = try context.parameters.require("address").removingPercentEncoding ?? ""
                return try SnakeCase.reply(["messages": try await messages(to: address)])
            })
    }

    private var now: Timestamp { Timestamp((site.configuration.mailClock ?? site.configuration.clock)()) }

    private func messages(to address: String) async throws -> [Message] {
        let now = now
        return try await site.database.snapshot { db in
            try Row.fetchAll(
                db, sql: "SELECT * FROM mailbox_messages WHERE address = ? AND arrives_at <= ? ORDER BY id",
                arguments: [address, now]
            ).map { row in
                Message(
                    arrivedAt: Timestamp(rawValue: row["arrives_at"]).iso8601, subject: row["subject"],
                    text: row["text"], code: row["code"])
            }
        }
    }

    func send(code: String, _ purpose: String, to address: String) async throws {
        let settings = conditions.current.mailbox
        conditions.note(.mailbox)
        guard !settings.losesMessages else { return }
        let arrival = now + settings.delay
        let name = site.configuration.relyingPartyName
        try await site.database.write { db in
            try db.execute(
                sql: "INSERT INTO mailbox_messages (address, subject, text, code, arrives_at) VALUES (?, ?, ?, ?, ?)",
                arguments: [
                    address, "Your code for \(name)", "Your code \(purpose) is \(code). It is valid for 10 minutes.",
                    code,
                    arrival,
                ])
        }
    }
}
