internal import CBOR
internal import Foundation
internal import WebAuthn

/// Checks the extension outputs of a registration against the policy (WebAuthn L3 §7.1 step 28).
///
/// Missing outputs are accepted, because clients may ignore any extension (§9.3).
struct ExtensionOutputsCheck {
    let reasons: [Reason]

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
        self.reasons = reasons
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
