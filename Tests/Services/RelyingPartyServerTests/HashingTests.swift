import GRDB
import Machine
import RelyingPartyServer
import Synchronization
import Testing

/// The cost of passwords to the relying party.
@Suite struct HashingTests {
    private static func signIn(_ site: Site, _ name: String, _ password: String = "wrong horse") async throws -> Answer
    {
        try await site.browser().post("password/sign-in", ["username": name, "password": password])
    }

    private final class Count: Sendable {
        let value = Atomic(0)
    }

    @Test("Wrong passwords by the hundred are bounded, and delay no other request")
    func bounded() async throws {
        try await Site.run(configure: {
            // Costly enough to fill the places; no limit of attempts, so that all are hashed.
            $0.passwordCost = ScryptCost(rounds: 1 << 17)
            ($0.attemptLimits.perAccount, $0.attemptLimits.perAddress) = (1000, 1000)
        }) { site in
            let answered = Count()
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<60 {
                    group.addTask {
                        let status = try await Self.signIn(site, "user\(number)").status
                        answered.value.add(1, ordering: .relaxed)
                        return status
                    }
                }
                // Once some are refused the hashing threads have all they can take.
                var statuses = [try await group.next() ?? 0]
                #expect(try await site.browser().post("passkeys/authenticate/begin", [String: String]()).status == 200)
                #expect(answered.value.load(ordering: .relaxed) < 60)
                for try await status in group { statuses.append(status) }
                return statuses
            }
            #expect(Set(statuses) == [401, 503])
            #expect(statuses.count { $0 == 401 } >= 18)
        }
    }

    @Test("A refused attempt of a busy server does not count, and says when to try again")
    func busy() async throws {
        try await Site.run(configure: {
            $0.passwordCost = ScryptCost(rounds: 1 << 17)
            ($0.attemptLimits.perAccount, $0.attemptLimits.perAddress) = (1000, 1000)
        }) { site in
            let refused = try await withThrowingTaskGroup(of: Answer.self) { group in
                for number in 0..<60 { group.addTask { try await Self.signIn(site, "user\(number)") } }
                return try await group.reduce(into: [Answer]()) { answers, answer in
                    if answer.status == 503 { answers.append(answer) }
                }
            }
            #expect(!refused.isEmpty)
            for answer in refused {
                #expect(answer.code == "server.busy")
                #expect(answer.field("Retry-After") == "2")
            }
        }
    }

    @Test("A hash of a former cost is renewed at the next sign-in, and only then")
    func renewed() async throws {
        let former = ScryptCost(rounds: 8, blockSize: 1)
        let isToday = Count()
        try await Site.runOnFile(configure: { configuration in
            if isToday.value.load(ordering: .relaxed) == 0 { configuration.passwordCost = former }
        }) { site in
            _ = try await site.browser(of: "ada", password: "correct horse")
            func hash() throws -> String { try site.rows("SELECT password_hash FROM users").first?[0] ?? "" }
            let old = try hash()
            #expect(old.hasPrefix("scrypt$8$1$1$"))
            #expect(try await Self.signIn(site, "ada", "correct horse").status == 200)
            #expect(try hash() == old)
            isToday.value.store(1, ordering: .relaxed)
            try await site.restart()
            #expect(try await Self.signIn(site, "ada").status == 401)
            #expect(try hash() == old)
            #expect(try await Self.signIn(site, "ada", "correct horse").status == 200)
            #expect(try hash().hasPrefix("scrypt$16$1$1$"))
            #expect(try await Self.signIn(site, "ada", "correct horse").status == 200)
        }
    }

    @Test("Today's cost is the first choice of OWASP's Password Storage Cheat Sheet")
    func cost() {
        #expect(ScryptCost() == ScryptCost(rounds: 1 << 17, blockSize: 8, parallelism: 1))
    }

    @Test("Sessions without a user are bounded, and sessions with one stay")
    func anonymousSessions() async throws {
        try await Site.runOnFile(configure: { $0.maximumAnonymousSessions = 5 }) { site in
            let user = try await site.browser(of: "ada")
            var last = try site.browser()
            for _ in 0..<20 {
                last = try site.browser()
                #expect(try await last.post("passkeys/authenticate/begin", [String: String]()).status == 200)
            }
            #expect(try site.rows("SELECT id FROM sessions WHERE user_id IS NULL").count == 5)
            #expect(try await user.get("session").status == 200)
            #expect(try site.rows("SELECT id FROM sessions WHERE user_id IS NOT NULL").count == 1)
        }
    }
}
