internal import Conformance
internal import Documents
internal import WebAuthn

/// The cases of the extension appid, for credentials that were registered with U2F (WebAuthn L3 §7.2 step 15, §10.1.1).
enum AppIDCases {
    static let all: [Case] = [
        row("announced", "the hash of the AppID and the output appid true", .accepted) {
            try claim(&$0)
            announce(true, in: &$0)
        },
        row("notAnnounced", "the hash of the AppID and no output appid", .refused) { try claim(&$0) },
        row("denied", "the hash of the AppID and the output appid false", .refused) {
            try claim(&$0)
            announce(false, in: &$0)
        },
        row("notUsed", "the hash of the RP ID and the output appid false", .accepted) { announce(false, in: &$0) },
        row("announcedOnly", "the hash of the RP ID and the output appid true", .refused) { announce(true, in: &$0) },
    ]

    private static func row(
        _ name: String, _ what: String, _ outcome: CeremonyOutcome,
        _ change: @escaping RelyingPartyBench.AssertionChange
    ) -> Case {
        .assertion("appid.\(name)", with: what, is: outcome, .webauthn("7.2", step: "15"), needs: [.appID], change)
    }

    /// Replaces the hash of the RP ID by that of the AppID in the options.
    private static func claim(_ assertion: inout ForgedAssertion) throws {
        guard let appID = assertion.options["extensions"]?["appid"]?.text else {
            throw CaseStop.notApplicable("the options of this sign-in do not ask for the extension appid")
        }
        assertion.authenticatorData.relyingPartyIDHash = sha256(Array(appID.utf8))
    }

    private static func announce(_ output: Bool, in assertion: inout ForgedAssertion) {
        assertion.changeResponse = { $0.set("clientExtensionResults", "appid", to: .bool(output)) }
    }
}
