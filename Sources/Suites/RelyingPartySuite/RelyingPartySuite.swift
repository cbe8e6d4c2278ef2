package import Conformance

/// The cases for relying parties (WebAuthn L3 §7), from the specification's texts.
package enum RelyingPartySuite {
    package static let all = ConformanceSuite<RelyingPartyBench>(
        "relying-party", profiles: profiles, official: ServerScripts.table,
        [
            Group("creationOptions", "The options of registrations", CreationOptionCases.all),
            Group("requestOptions", "The options of sign-ins", RequestOptionCases.all),
            Group(
                "registration", "Registrations: response, client data, authenticator data, credential and key",
                ResponseCases.registration + ClientDataCases.registration + AuthenticatorDataCases.registration
                    + AttestationObjectCases.all),
            Group("attestation", "Attestation statements of each format, and their certificates", StatementCases.all),
            Group("algorithms", "Each algorithm, with the right key and a wrong one", AlgorithmCases.all),
            Group(
                "assertion", "Assertions: response, client data, authenticator data and signature",
                ResponseCases.assertion + ClientDataCases.assertion + AuthenticatorDataCases.assertion
                    + AppIDCases.all + SignatureCases.all + UserHandleCases.all + CounterCases.all),
            Group("challenge", "Challenges, and the sessions that they belong to", ChallengeCases.all),
            Group("accounts", "Several accounts, and the information for clients without a session", AccountCases.all),
            Group("metadata", "Models whose metadata the relying party was told", AuthenticatorMetadataCases.all),
        ])

    private static let profiles: [RunProfile] = [
        RunProfile("webauthn-l3-server", "A server that follows WebAuthn Level 3", [.webauthn2, .webauthn3])
    ]
}
