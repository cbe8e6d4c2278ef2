internal import CBOR
internal import COSE
internal import Conformance
internal import WebAuthn

/// The cases of authenticator data (WebAuthn L3 §6.1, §7.1 steps 14 to 20 and 25, §7.2 steps 15 to 19).
enum AuthenticatorDataCases {
    static let registration: [Case] =
        AuthenticatorDataRow.all.map { $0.conformanceCase(.registration) } + flags + attested + CredentialKeyCases.all
    static let assertion: [Case] = AuthenticatorDataRow.all.map { $0.conformanceCase(.assertion) } + ownOfAssertion

    private static let flags: [Case] = [
        .registration(
            "authenticatorData.flags.backupEligible", with: "BE set and BS not set", is: .accepted,
            .webauthn("7.1", step: "17")
        ) { $0.authenticatorData.flags.insert(.backupEligible) },
        .registration(
            "authenticatorData.flags.backedUp", with: "BE and BS set", is: .accepted, .webauthn("7.1", step: "17")
        ) { $0.authenticatorData.flags.formUnion([.backupEligible, .backupState]) },
        .registration(
            "authenticatorData.counter.zero", with: "the counter 0", is: .accepted, .webauthn("6.1.1")
        ) { $0.authenticatorData.counter = 0 },
        .registration(
            "authenticatorData.counter.greatest", with: "the greatest counter", is: .accepted, .webauthn("6.1.1")
        ) { $0.authenticatorData.counter = .max },
        .registration(
            "authenticatorData.flags.attestedMissing", with: "AT not set", is: .refused, .webauthn("6.1")
        ) { $0.authenticatorData.flags.remove(.attestedCredentialData) },
        .registration(
            "authenticatorData.attested.missing", with: "neither AT nor attested credential data", is: .refused,
            .webauthn("7.1", step: "20")
        ) {
            $0.authenticatorData.flags.remove(.attestedCredentialData)
            $0.authenticatorData.write = { Array($0.prefix(37)) }
        },
        .registration(
            "authenticatorData.attested.announcedOnly", with: "AT and no attested credential data", is: .refused,
            .webauthn("6.1")
        ) { $0.authenticatorData.write = { Array($0.prefix(37)) } },
    ]

    private static let attested: [Case] = [
        length("aaguid", "attested credential data that ends inside the AAGUID", 37 + 8),
        length("length", "attested credential data that ends before the length of the ID", 37 + 16),
        length("id", "attested credential data that ends inside the ID", 37 + 18 + 8),
        length("noKey", "attested credential data without a public key", 37 + 18 + 32),
        length("key", "attested credential data that ends inside the public key", 37 + 18 + 32 + 20),
        .registration(
            "authenticatorData.attested.idLength.greater", with: "a length of the ID beyond its end", is: .refused,
            .webauthn("6.5.1")
        ) { $0.authenticatorData.attested?.length = 0xFFFF },
        .registration(
            "authenticatorData.attested.idLength.less", with: "a length of the ID before its end", is: .refused,
            .webauthn("6.5.1")
        ) { $0.authenticatorData.attested?.length = 16 },
        .registration(
            "authenticatorData.attested.id.sixteen", with: "a credential ID of 16 bytes", is: .accepted,
            .webauthn("7.1", step: "25")
        ) { registration in
            let id = Array(registration.credentialID.prefix(16))
            registration.authenticatorData.attested?.id = id
        },
        .registration(
            "authenticatorData.attested.id.longest", with: "a credential ID of 1,023 bytes", is: .accepted,
            .webauthn("7.1", step: "25")
        ) { lengthen(&$0, to: 1023) },
        .registration(
            "authenticatorData.attested.id.tooLong", with: "a credential ID of 1,024 bytes", is: .refused,
            .webauthn("7.1", step: "25")
        ) { lengthen(&$0, to: 1024) },
        .registration(
            "authenticatorData.attested.id.empty", with: "an empty credential ID", is: .refused, .webauthn("6.5.1"),
            level: .should
        ) { $0.authenticatorData.attested?.id = [] },
        .registration(
            "authenticatorData.attested.aaguid.zero", with: "an AAGUID of zeros", is: .accepted, .webauthn("6.5.1")
        ) { $0.authenticatorData.attested?.aaguid = .zero },
    ]

    private static func length(_ name: String, _ what: String, _ count: Int) -> Case {
        .registration("authenticatorData.attested.ends.\(name)", with: what, is: .refused, .webauthn("6.5.1")) {
            $0.authenticatorData.write = { Array($0.prefix(count)) }
        }
    }

    private static func lengthen(_ registration: inout ForgedRegistration, to count: Int) {
        let id = registration.credentialID
        registration.authenticatorData.attested?.id = id + (id.count..<count).map { UInt8(truncatingIfNeeded: $0) }
    }

    private static let backedUp = SignInForm(
        passkey: PasskeyForm(isBackupEligible: true, isBackedUp: true, owner: "backup"))

    private static let ownOfAssertion: [Case] = [
        .assertion(
            "authenticatorData.flags.attested", with: "attested credential data", is: .refused, .webauthn("6.1"),
            level: .should
        ) { assertion in
            assertion.authenticatorData.attested = .init(
                aaguid: .zero, id: assertion.credentialID, key: assertion.key.publicKey.encoded)
            assertion.authenticatorData.flags.insert(.attestedCredentialData)
        },
        .assertion(
            "authenticatorData.flags.attestedOnly", with: "AT set and no attested credential data", is: .refused,
            .webauthn("6.1")
        ) { $0.authenticatorData.flags.insert(.attestedCredentialData) },
        .assertion(
            "authenticatorData.backup.eligibilityGained", with: "BE set, which the registration had not", is: .refused,
            .webauthn("7.2", step: "19"), level: .should
        ) { $0.authenticatorData.flags.insert(.backupEligible) },
        .assertion(
            "authenticatorData.backup.eligibilityLost", with: "BE not set, which the registration had", is: .refused,
            .webauthn("7.2", step: "19"), level: .should, form: backedUp
        ) { $0.authenticatorData.flags.subtract([.backupEligible, .backupState]) },
        .assertion(
            "authenticatorData.backup.stateLost", with: "BS not set any more", is: .accepted,
            .webauthn("7.2", step: "18"), form: backedUp
        ) { $0.authenticatorData.flags.remove(.backupState) },
        .assertion(
            "authenticatorData.backup.stateGained", with: "BS set for the first time", is: .accepted,
            .webauthn("7.2", step: "18"),
            form: SignInForm(passkey: PasskeyForm(isBackupEligible: true, owner: "eligible"))
        ) { $0.authenticatorData.flags.insert(.backupState) },
    ]
}
