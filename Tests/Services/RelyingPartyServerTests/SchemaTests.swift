import Crypto
import Foundation
import GRDB
import Testing
import WebAuthn

@Suite struct SchemaTests {
    @Test func theDatabaseHoldsTheAuthModulesTablesOnly() async throws {
        try await Site.runOnFile { site in
            let tables = try site.rows("SELECT name, strict FROM pragma_table_list WHERE schema = 'main' ORDER BY name")
            let own = tables.filter { !(($0["name"] as String).hasPrefix("sqlite_")) }
            #expect(
                own.map { $0["name"] as String } == [
                    "attempts", "challenges", "grdb_migrations", "passkey_credentials", "secrets", "sessions", "users",
                ])
            #expect(own.filter { $0["name"] as String != "grdb_migrations" }.allSatisfy { $0["strict"] as Int == 1 })
            let mode: String = try #require(try site.rows("PRAGMA journal_mode").first)[0]
            #expect(mode == "wal")
        }
    }

    @Test func aPasskeysRowHoldsTheFieldsOfA13() async throws {
        try await Site.runOnFile { site in
            let columns = try site.rows("SELECT name FROM pragma_table_info('passkey_credentials')").map {
                $0["name"] as String
            }
            let required: Set = [
                "credential_id", "public_key", "aaguid", "device_name", "created_at", "last_used_at", "sign_count",
                "uv_initialized", "transports", "backup_eligible", "backup_state", "attestation_object",
                "client_data_json", "user_id",
            ]
            #expect(required.isSubset(of: columns))
        }
    }

    @Test func sessionsAreStoredAsHashesOfTheirTokens() async throws {
        try await Site.runOnFile { site in
            let token = try #require(try await site.browser(of: "ada").token)
            let rows = try site.rows("SELECT * FROM sessions")
            #expect(rows.map { $0["token_hash"] as Data } == [Data(SHA256.hash(data: Array(token.utf8)))])
            #expect(Base64URL.decode(token)?.count == 32)
        }
    }
}

extension Row {
    func bytes(_ column: String) -> [UInt8] {
        let data: Data = self[column]
        return Array(data)
    }
}
