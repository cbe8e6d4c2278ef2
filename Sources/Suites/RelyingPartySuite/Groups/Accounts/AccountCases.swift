internal import Conformance
internal import Documents
internal import ForeignParties
internal import WebAuthn

/// The cases of several accounts: their credentials, and the information for clients without a session (WebAuthn L3 §7, §14.6).
enum AccountCases {
    static let all: [Case] = crossing + several + registered + enumeration

    private static func account(
        _ id: String, _ title: String, _ clause: Clause, level: Level = .must,
        needs: [RelyingPartyNeed] = [.accounts],
        _ perform: @escaping @Sendable (RelyingPartyBench, CaseRecorder) async throws -> Void
    ) -> Case {
        Case("accounts.\(id)", title, clause, level: level, needs: needs, effects: [.makesAccount]) { bench, recorder in
            try await bench.requireSignIn(PasskeyForm())
            try await perform(bench, recorder)
        }
    }

    private static let crossing: [Case] = [
        account(
            "otherCredential", "A sign-in that names an account is refused with the passkey of another account.",
            .webauthn("7.2", step: "5"), needs: [.accounts, .allowList]
        ) { bench, recorder in
            let (begun, _) = try await bench.requireBegun()
            let stranger = try await bench.strangersPasskey()
            bench.judge(try await bench.complete(begun, stranger) { _ in }, .refused, recorder)
        },
        account(
            "otherUserHandle", "A passkey is refused with the user handle of another account.",
            .webauthn("7.2", step: "6")
        ) { bench, recorder in
            let stranger = try await bench.strangersPasskey()
            try await bench.signIn(SignInForm(), recorder, is: .refused) { $0.userHandle = stranger.userHandle }
        },
        account(
            "otherUserHandle.anonymous",
            "A passkey is refused with the user handle of another account, where no account was named.",
            .webauthn("7.2", step: "6"), needs: [.accounts, .anonymousSignIn]
        ) { bench, recorder in
            let stranger = try await bench.strangersPasskey()
            try await bench.signIn(SignInForm(isAnonymous: true), recorder, is: .refused) {
                $0.userHandle = stranger.userHandle
            }
        },
        account(
            "otherKey", "The passkey of one account is refused with a signature by the passkey of another account.",
            .webauthn("7.2", step: "21")
        ) { bench, recorder in
            let stranger = try await bench.strangersPasskey()
            try await bench.signIn(SignInForm(), recorder, is: .refused) { $0.key = stranger.key }
        },
        account(
            "otherID", "The ID of another account's passkey is refused with the own signature.",
            .webauthn("7.2", step: "21")
        ) { bench, recorder in
            let stranger = try await bench.strangersPasskey()
            try await bench.signIn(SignInForm(), recorder, is: .refused) {
                $0.credentialID = stranger.id
                $0.userHandle = stranger.userHandle
            }
        },
    ]

    private static let several: [Case] = [
        account(
            "otherPasskey", "Each of an account's two passkeys signs in.", .webauthn("7.2", step: "5"), level: .should
        ) { bench, recorder in
            for passkey in try await bench.twoPasskeys() {
                bench.judge(try await bench.assertion(passkey), .accepted, recorder)
            }
        },
        account(
            "otherKey.sameAccount",
            "A passkey is refused with a signature by another passkey of the same account.",
            .webauthn("7.2", step: "21")
        ) { bench, recorder in
            let passkeys = try await bench.twoPasskeys()
            guard let other = passkeys.last, try await bench.assertion(other).isAccepted else {
                throw CaseStop.blocked("the second passkey does not sign in; see accounts.otherPasskey")
            }
            bench.judge(try await bench.assertion(passkeys[0]) { $0.key = other.key }, .refused, recorder)
        },
        account(
            "excludeList.others", "A registration excludes no passkey of another account.", .webauthn("5.4"),
            level: .should
        ) { bench, recorder in
            let stranger = try await bench.strangersPasskey()
            let excluded = try await bench.requireRegistration().options["excludeCredentials"]?.array ?? []
            let id = JSONValue.text(Base64URL.encode(stranger.id))
            recorder.expect(
                !excluded.contains { $0["id"] == id }, "no credential of another account",
                seen: OptionCases.words(.array(excluded)))
        },
    ]

    private static let registered: [Case] = [
        Case(
            "accounts.registered.same", "A credential ID that the account has registered is refused.",
            .webauthn("7.1", step: "26"), level: .should, effects: [.makesAccount]
        ) { bench, recorder in
            try await bench.requireControl(RegistrationForm())
            try await bench.changeAccount()
            let passkey = try await bench.newPasskey(RegistrationForm())
            try await bench.register(RegistrationForm(), recorder, is: .refused) {
                $0.authenticatorData.attested?.id = passkey.id
            }
        },
        account(
            "registered.other", "A credential ID that another account has registered is refused.",
            .webauthn("7.1", step: "26"), level: .should
        ) { bench, recorder in
            let stranger = try await bench.strangersPasskey()
            try await bench.register(RegistrationForm(), recorder, is: .refused) {
                $0.authenticatorData.attested?.id = stranger.id
            }
        },
        account(
            "registered.other.kept",
            "The owner of a credential ID can sign in after another account tried to register it.",
            .webauthn("7.1", step: "26")
        ) { bench, recorder in
            let owner = try await bench.strangersPasskey()
            _ = try await bench.registration(RegistrationForm()) {
                $0.authenticatorData.attested?.id = owner.id
            }
            bench.judge(try await bench.assertion(try await bench.strangersPasskey()), .accepted, recorder)
        },
        Case(
            "accounts.excludeList", "A further registration excludes the account's passkeys.",
            .webauthn("5.4"), level: .should, effects: [.makesAccount]
        ) { bench, recorder in
            try await bench.changeAccount()
            let passkey = try await bench.newPasskey(RegistrationForm())
            let begun = try await bench.requireRegistration()
            guard begun.account == passkey.account else { throw CaseStop.notRun("the account changed") }
            let excluded = begun.options["excludeCredentials"]?.array ?? []
            let id = JSONValue.text(Base64URL.encode(passkey.id))
            recorder.expect(
                excluded.contains { $0["id"] == id }, OptionCases.words(id), seen: OptionCases.words(.array(excluded)))
        },
    ]

    /// WebAuthn L3 §14.6.2.
    private static let privacy = Clause.webauthn("14.6.2")

    private static let enumeration: [Case] = [
        account(
            "enumeration.options", "A sign-in for an unknown account begins like one for a known account.", privacy,
            level: .should, needs: [.accounts, .allowList]
        ) { bench, recorder in
            let (known, _) = try await bench.requireBegun()
            let unknown = try await bench.begunForStranger("unknown-\(bench.pool.tag)@example.com", recorder)
            recorder.expect(
                PartyDeclarations.allowed(unknown.options).isEmpty == PartyDeclarations.allowed(known.options).isEmpty,
                "allowed credentials as for a known account", seen: OptionCases.words(unknown.options))
            recorder.expect(
                Set(unknown.options.object?.keys ?? [:].keys) == Set(known.options.object?.keys ?? [:].keys),
                "the same members as for a known account", seen: OptionCases.words(unknown.options))
        },
        account(
            "enumeration.stable", "An unknown account's options name the same credentials each time.", privacy,
            level: .should, needs: [.accounts, .allowList]
        ) { bench, recorder in
            let name = "stable-\(bench.pool.tag)@example.com"
            let first = try await bench.begunForStranger(name, recorder)
            let second = try await bench.begunForStranger(name, recorder)
            let seen = PartyDeclarations.allowed(second.options)
            recorder.expect(
                PartyDeclarations.allowed(first.options) == seen,
                OptionCases.words(.array(PartyDeclarations.allowed(first.options))),
                seen: OptionCases.words(.array(seen)))
        },
        account(
            "enumeration.distinct", "Two unknown accounts' options name different credentials.", privacy,
            level: .should, needs: [.accounts, .allowList]
        ) { bench, recorder in
            let first = try await bench.begunForStranger("first-\(bench.pool.tag)@example.com", recorder)
            let second = try await bench.begunForStranger("second-\(bench.pool.tag)@example.com", recorder)
            recorder.expect(
                PartyDeclarations.allowed(first.options) != PartyDeclarations.allowed(second.options),
                "different credentials", seen: OptionCases.words(second.options))
        },
        account(
            "enumeration.answer", "A wrong signature is answered alike for a known and for an unknown credential.",
            .webauthn("14.6.3"), level: .should
        ) { bench, recorder in
            let wrong: @Sendable ([UInt8]) -> [UInt8] = { bytes in bytes.dropLast() + [(bytes.last ?? 0) ^ 1] }
            let known = try await bench.assertion(SignInForm()) { $0.changeSignature = wrong }
            let unknown = try await bench.assertion(SignInForm()) {
                $0.credentialID = [UInt8](repeating: 0x3C, count: 32)
                $0.changeSignature = wrong
            }
            recorder.expect(known.status == unknown.status, "the status \(known.status)", seen: unknown.line)
        },
    ]
}

extension RelyingPartyBench {
    /// Registers with a new account from now on, which has place for more passkeys.
    func changeAccount() async throws { registrant = try await newRegistrant() }

    /// The passkeys of a new account, each with the counter of its first sign-in.
    func twoPasskeys() async throws -> [ForgedPasskey] {
        try await changeAccount()
        var passkeys = [try await newPasskey(RegistrationForm()), try await newPasskey(RegistrationForm())]
        guard passkeys[0].account == passkeys[1].account else { throw CaseStop.notRun("the account changed") }
        for index in passkeys.indices { passkeys[index].counter += 1 }
        return passkeys
    }

    /// A passkey of an account that no other passkey of the case belongs to.
    func strangersPasskey() async throws -> ForgedPasskey {
        let place = PasskeyForm(owner: "stranger")
        if let known = passkeys[place] { return use(known, place) }
        // The passkey of the usual account comes first, so that the stranger is another account.
        _ = try await passkey(PasskeyForm())
        let former = registrant
        registrant = try await newRegistrant()
        defer { registrant = former }
        let made = try await newPasskey(RegistrationForm())
        passkeys[place] = made
        return use(made, place)
    }

    func begunForStranger(_ account: String, _ recorder: CaseRecorder) async throws -> BegunCeremony {
        guard let begun = try await beginSignIn(account, PartyRequirements(account: account)) else {
            throw recorder.fail("request options as for a known account", seen: lastRefusal)
        }
        return begun
    }
}
