internal import Causes
internal import Documents
internal import Harness
internal import Wording

/// A step at the relying party's site, which needs no device.
package enum SiteStep: Hashable, Sendable {
    /// Creates an account and signs in to it.
    case createAccount(name: String, password: String?)
    /// Ends the session.
    case signOut
    /// Lists the account's passkeys.
    case listPasskeys
    /// Deletes the passkey at this place in the list, counted from 1.
    case deletePasskey(number: Int)
    /// Stops the relying party and starts it again on the same database.
    case restartServer
}

extension SiteStep {
    static let verbs = [
        verb("create-account", keys: ["name", "password"]) { fields throws(SourceError) in
            .createAccount(
                name: try fields.required("name").string(), password: try fields["password"]?.string())
        },
        verb("sign-out") { _ in .signOut },
        verb("list-passkeys") { _ in .listPasskeys },
        verb("delete-passkey", keys: ["number"]) { fields throws(SourceError) in
            .deletePasskey(number: try fields.main("number")?.int(in: 1...100) ?? 1)
        },
        verb("restart-server") { _ in .restartServer },
    ]

    private static func verb(
        _ word: String, keys: Set<String> = [],
        read: @escaping @Sendable (StepFields) throws(SourceError) -> SiteStep
    ) -> StepVerb {
        StepVerb(word, at: .site, keys: keys) { fields throws(SourceError) in .site(try read(fields)) }
    }

    /// The step in a few words.
    var title: String {
        switch self {
        case .createAccount(let name, _): "\(name) creates an account"
        case .signOut: "signs out"
        case .listPasskeys: "lists the passkeys"
        case .deletePasskey(let number): "deletes passkey \(number)"
        case .restartServer: "the server restarts"
        }
    }

    /// Plays the step.
    func perform(at site: Site) async throws -> StepResult {
        switch self {
        case .createAccount(let name, let password):
            var account = ["username": name, "displayName": name]
            account["password"] = password
            _ = try await site.send("POST", "/accounts", account)
        case .signOut:
            _ = try await site.send("DELETE", "/session")
            site.http.forgetSession()
        case .listPasskeys:
            return StepResult(passkeys: try await site.passkeys()?.count)
        case .deletePasskey(let number):
            guard let passkeys = try await site.passkeys() else { break }
            guard passkeys.indices.contains(number - 1) else {
                return .refused(.noSuchPasskey, passkeys: passkeys.count)
            }
            _ = try await site.send("DELETE", "/passkeys/\(passkeys[number - 1].credentialId)")
            return StepResult(passkeys: passkeys.count)
        case .restartServer: try await site.restart()
        }
        return StepResult()
    }
}
