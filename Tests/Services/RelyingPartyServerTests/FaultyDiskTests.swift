import FaultyDisk
import Foundation
import Synchronization
import Testing
import WebAuthn

/// Every write of the relying party's database fails once, in every request that writes.
@Suite(.serialized) struct FaultyDiskTests {
    /// A request that writes, made ready, and the proof that its effect is kept.
    struct Attempt: Sendable {
        let perform: @Sendable () async throws -> Answer
        let isKept: @Sendable () async throws -> Bool
    }

    enum Request: String, CaseIterable, Sendable {
        case createAccount, beginRegistration, completeRegistration, beginSignIn, completeSignIn, setPassword, rename
        case signOut

        private static let seeds = Atomic<UInt64>(1000)

        /// Makes a request ready for a user of its own.
        func attempt(_ name: String, at site: Site) async throws -> Attempt {
            let user = self == .createAccount ? try site.browser() : try await site.browser(of: name)
            // Each with a credential of its own.
            let seed = Self.seeds.wrappingAdd(1, ordering: .relaxed).newValue
            var signer = try TestSigner(origin: site.origin, seed: seed)
            switch self {
            case .createAccount:
                let body = ["username": name, "displayName": name]
                return Attempt {
                    try await user.post("accounts", body)
                } isKept: {
                    try await user.get("session").status == 200
                }
            case .beginRegistration:
                let begun = Begun<CreationOptions>()
                return Attempt { [signer] in
                    let answer = try await user.post("passkeys/register/begin", [String: String]())
                    await begun.keep(answer, signer)
                    return answer
                } isKept: {
                    let (options, signer) = try #require(await begun.value)
                    var other = signer
                    return try await user.post("passkeys/register/complete", other.register(options)).status == 201
                }
            case .completeRegistration:
                let response = signer.register(try await user.beginRegistration())
                return Attempt {
                    try await user.post("passkeys/register/complete", response)
                } isKept: {
                    try await user.passkeys().map(\.credentialId) == [response.rawId]
                }
            case .beginSignIn:
                try await user.register(&signer)
                let (visitor, begun) = (try site.browser(), Begun<RequestOptions>())
                return Attempt { [signer] in
                    let answer = try await visitor.post("passkeys/authenticate/begin", ["username": name])
                    await begun.keep(answer, signer)
                    return answer
                } isKept: {
                    let (options, signer) = try #require(await begun.value)
                    return try await visitor.post("passkeys/authenticate/complete", try signer.authenticate(options))
                        .status == 200
                }
            case .completeSignIn:
                signer.signCount = 5
                try await user.register(&signer)
                let visitor = try site.browser()
                let options = try await visitor.beginAuthentication()
                signer.signCount = 6
                let response = try signer.authenticate(options)
                return Attempt {
                    try await visitor.post("passkeys/authenticate/complete", response)
                } isKept: {
                    let passkeys = try await visitor.passkeys()
                    return passkeys.map(\.signCount) == [6]
                }
            case .setPassword:
                return Attempt {
                    try await user.put("password", ["password": "correct horse"])
                } isKept: {
                    try await site.browser().post("password/sign-in", ["username": name, "password": "correct horse"])
                        .status == 200
                }
            case .rename:
                let row = try await user.register(&signer)
                let path = user.api("passkeys/\(Base64URL.encode(row.credentialId.bytes))")
                return Attempt {
                    try await user.send("PATCH", path, JSONEncoder().encode(["deviceName": "the blue one"]))
                } isKept: {
                    try await user.passkeys().map(\.deviceName) == ["the blue one"]
                }
            case .signOut:
                let token = user.token
                return Attempt {
                    try await user.delete("session")
                } isKept: {
                    user.token = token
                    return try await user.get("session").status == 401
                }
            }
        }
    }

    /// The options that a request under test got.
    actor Begun<Options: Decodable & Sendable> {
        private(set) var value: (Options, TestSigner)?

        func keep(_ answer: Answer, _ signer: TestSigner) {
            if let options = try? answer.decode(Options.self) { value = (options, signer) }
        }
    }

    @Test(
        "A request on a failing disk is kept where it succeeded, and otherwise a 507; the server goes on",
        arguments: Request.allCases, [FaultyDisk.Fault.full, .inputOutputError])
    func everyWrite(_ request: Request, _ fault: FaultyDisk.Fault) async throws {
        FaultyDisk.install()
        try await Site.runOnFile { site in
            let folder = try #require(
                site.databasePath.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path })
            for target in 1...200 {
                let attempt = try await request.attempt("user\(target)", at: site)
                let (answer, wasReached) = try await FaultyDisk.run(fault, at: target, in: folder, attempt.perform)
                if answer.status < 300 {
                    try await site.restart()
                    #expect(try await attempt.isKept(), "operation \(target)")
                } else {
                    #expect(answer.status == 507, "operation \(target)")
                    #expect(answer.code?.hasPrefix("storage.") == true)
                    #expect(answer.error?.message.isEmpty == false)
                    let next = try await request.attempt("next\(target)", at: site)
                    #expect(try await next.perform().status < 300, "after operation \(target)")
                }
                // Beyond the last operation of the request nothing fails.
                guard wasReached else {
                    #expect(target > 1)
                    return
                }
            }
            Issue.record("the request never ended")
        }
    }
}
