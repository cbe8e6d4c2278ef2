import Foundation
import GRDB
import RelyingParty
import Testing
import WebAuthn

@testable import RelyingPartyServer

/// Databases of earlier versions.
@Suite struct MigrationTests {
    /// Replaces a database by one of the first schema with the same rows.
    private func moveBack(_ path: String) throws {
        let newer = path + ".newer"
        // The rows may still be in the write-ahead log.
        for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
            try FileManager.default.moveItem(atPath: path + suffix, toPath: newer + suffix)
        }
        let queue = try DatabaseQueue(path: path)
        try ServerSchema.migrator.migrate(queue, upTo: "1 accounts, sessions, challenges, passkeys")
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "ATTACH DATABASE ? AS newer", arguments: [newer])
            for table in ["users", "sessions", "challenges", "passkey_credentials", "secrets"] {
                let columns = try db.columns(in: table).map(\.name).joined(separator: ", ")
                try db.execute(sql: "DELETE FROM main.\(table)")
                // The first schema kept a session's last challenge.
                try db.execute(
                    sql: "INSERT OR REPLACE INTO main.\(table) (\(columns)) SELECT \(columns) FROM newer.\(table)")
            }
            try db.execute(sql: "DETACH DATABASE newer")
        }
        try queue.close()
    }

    @Test func aDatabaseOfTheFirstSchemaIsMigrated() async throws {
        try await Site.runOnFile { site in
            let ada = try await site.browser(of: "ada")
            var signer = try TestSigner(origin: site.origin)
            try await ada.register(&signer)
            let registration = try await ada.beginRegistration()
            let passkeys = try await ada.passkeys()
            let port = try site.port
            await site.stop()

            try moveBack(try #require(site.databasePath))
            try await site.start(port: port)

            #expect(try await ada.get("session").status == 200)
            #expect(try await ada.passkeys() == passkeys)
            // The open challenge stays, and another one no longer replaces it.
            _ = try await ada.beginRegistration()
            var second = try TestSigner(origin: site.origin, seed: 2)
            let completed = try await ada.post("passkeys/register/complete", second.register(registration))
            #expect(completed.status == 201)
            // The session of a passkey knows it now, and ends when another one deletes it.
            let (browser, other) = (try site.browser(), try site.browser())
            #expect(try await browser.signIn(&signer).status == 200)
            #expect(try await other.signIn(&signer).status == 200)
            #expect(try await other.delete("passkeys/\(Base64URL.encode(signer.id))").status == 204)
            #expect(try await browser.get("session").status == 401)
            #expect(try await ada.get("session").status == 200)
        }
    }
}
