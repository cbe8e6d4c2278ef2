internal import CBOR
internal import Foundation
internal import WebAuthn

/// Checks the extension outputs of a registration against the policy (WebAuthn L3 §7.1 step 28).
///
/// Missing outputs are accepted, because clients may ignore any extension (§9.3).
struct ExtensionOutputsCheck {
    let outcome: LedgerOutcome

    init(client: ClientExtensionResults, authenticator: CBOR.Map?, expectation: RegistrationExpectation) {
        var reasons: [Reason] = []
        if expectation.extensions.refusesUnsolicited {
            let outputs = Self.names(of: client) + (authenticator?.keys ?? []).map(Self.name)
            for name in outputs where !expectation.extensions.requested.contains(name) {
                reasons.append(Reason(.extensionUnsolicited, "the extension “\(name)” was not requested"))
            }
        }
        if expectation.residentKey == .required, client.credProps?.rk == false {
            reasons.append(Reason(.credentialNotDiscoverable, "the credential is not discoverable, which was required"))
        }
        var flags: [Reason] = []
        if let reason = Self.judgeProtection(authenticator?["credProtect"], expectation.extensions) {
            if expectation.extensions.enforcesCredentialProtection {
                reasons.append(reason)
            } else if authenticator?["credProtect"] != nil {
                flags.append(reason)
            }
        }
        outcome = .judged(reasons, flags: flags)
    }

    /// The reason why the stated protection is not the one requested (CTAP 2.3 §12.1).
    private static func judgeProtection(_ output: CBOR.Value?, _ policy: ExtensionPolicy) -> Reason? {
        guard let requested = policy.credentialProtection else { return nil }
        let stated = try? output?.asUnsigned("credProtect")
        guard (stated ?? 0) < requested.level else { return nil }
        let found = output.map { "credProtect is \($0)" } ?? "credProtect is missing"
        return Reason(.credentialProtectionWeaker, "\(found); \(requested.level) was requested")
    }

    private static func name(_ key: CBOR.Value) -> String {
        if case .text(let name) = key { name } else { key.description }
    }

    /// The member names of the JSON object, including outputs added to the type later.
    private static func names(of results: ClientExtensionResults) -> [String] {
        guard let json = try? JSONEncoder().encode(results),
            let members = try? JSONDecoder().decode([String: Ignored].self, from: json)
        else { return [] }
        return members.keys.sorted()
    }

    private struct Ignored: Decodable {
        init(from decoder: any Decoder) {}
    }
}
