import Foundation
import GRDB
import RelyingParty
import RelyingPartyServer
import Testing
import WebAuthn

@Suite struct RestartTests {
    @Test func everythingSurvivesARestart() async throws {
        try await Site.runOnFile { site in
            let ada = try await site.browser(of: "ada")
            var signer = try TestSigner(origin: site.origin)
            signer.signCount = 10
            try await ada.register(&signer)
            let registration = try await ada.beginRegistration()
            let browser = try site.browser()
            let options = try await browser.beginAuthentication(["username": "ada"])
            let port = try site.port
            let before = try await ada.passkeys()

            try await site.restart()

            #expect(try site.port == port)
            #expect(try await ada.passkeys() == before)
            signer.signCount = 11
            let answer = try await browser.post(
                "passkeys/authenticate/complete", try signer.authenticate(options))
            #expect(answer.status == 200)
            var second = try TestSigner(origin: site.origin, seed: 2)
            let completed = try await ada.post("passkeys/register/complete", second.register(registration))
            #expect(completed.status == 201)

            try await site.restart()

            signer.signCount = 10
            #expect(try await site.browser().signIn(&signer).failedSteps == [.signatureCounter])
            #expect(try await ada.get("session").status == 200)
            let replay = try await ada.post("passkeys/register/complete", second.register(registration))
            #expect(replay.reasons.contains(.challengeUsed))
        }
    }

    @Test func aServerInMemoryKeepsNothing() async throws {
        try await Site.run { site in
            let ada = try await site.browser(of: "ada")
            try await site.restart()
            #expect(try await ada.get("session").status == 401)
        }
    }

    @Test func aSecondStopHasNoEffect() async throws {
        let server = try await RelyingPartyServer.start()
        await server.stop()
        await server.stop()
    }

    @Test func aServerServesUntilItIsStopped() async throws {
        let server = try await RelyingPartyServer.start()
        let browser = Browser(baseURL: server.baseURL)
        #expect(try await browser.send("GET", "/healthz").status == 200)
        await server.stop()
        await #expect(throws: (any Error).self) { try await browser.send("GET", "/healthz") }
    }

    @Test func aPortInUseIsAnError() async throws {
        try await Site.run { site in
            var configuration = RelyingPartyConfiguration()
            configuration.port = try site.port
            await #expect(throws: (any Error).self) { try await RelyingPartyServer.start(configuration) }
            #expect(try await site.browser().send("GET", "/healthz").status == 200)
        }
    }

    @Test(
        "A database with a trigger or a view of another program is refused",
        arguments: [
            ("CREATE TRIGGER t AFTER INSERT ON sessions BEGIN DELETE FROM users; END", "has the trigger \"t\"; drop"),
            ("CREATE VIEW v AS SELECT 1", "has the view \"v\"; drop the view, then start again"),
            (
                """
                ALTER TABLE grdb_migrations RENAME TO m;
                CREATE VIEW grdb_migrations AS WITH RECURSIVE n(identifier) AS
                    (SELECT '1' UNION ALL SELECT identifier + 1 FROM n) SELECT identifier FROM n
                """, "it exists and is not the database of a relying party"
            ),
        ])
    func foreignSchema(sql: String, problem: String) async throws {
        try await Site.runOnFile { site in
            _ = try await site.browser(of: "ada")
            await site.stop()
            let path = try #require(site.databasePath)
            let queue = try DatabaseQueue(path: path)
            try await queue.write { db in try db.execute(sql: sql) }
            try queue.close()
            let before = try Data(contentsOf: URL(filePath: path))
            let error = try await #require(throws: (any Error).self) { try await site.start() }
            #expect("\(error)".hasPrefix(path) && "\(error)".contains(problem), "\(error)")
            #expect(try Data(contentsOf: URL(filePath: path)) == before)
            let folder = URL(filePath: path).deletingLastPathComponent().path
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["auth.sqlite"])
        }
    }

    @Test func aDatabaseThatCannotBeOpenedIsAnError() async throws {
        var configuration = RelyingPartyConfiguration()
        configuration.databasePath = "/nonexistent/folder/auth.sqlite"
        await #expect(throws: (any Error).self) { try await RelyingPartyServer.start(configuration) }
    }
}
