internal import Conformance
internal import Documents
internal import ForeignParties
internal import WebAuthn

/// The cases of request options (WebAuthn L3 §5.5, §7.2 step 1).
enum RequestOptionCases {
    static let all: [Case] = OptionCases.shared("for a sign-in", OptionCases.request) + own

    private static let own: [Case] = [
        Case(
            "requestOptions.rpId", "The RP ID for a sign-in, if stated, is the host of the origin or a suffix of it.",
            .webauthn("5.5"), effects: [.makesAccount]
        ) { bench, recorder in
            let options = try await bench.requireBegun().0.options
            guard let id = options["rpId"], id != .null else { return }
            recorder.expect(
                id.text.map { OptionCases.isRelyingPartyID($0, for: bench.party.origin) } ?? false,
                "an RP ID that \(bench.party.origin) may claim", seen: OptionCases.words(id))
        },
        Case(
            "requestOptions.rpId.same", "The RP ID is that of the registration.", .webauthn("7.2", step: "15"),
            effects: [.makesAccount]
        ) { bench, recorder in
            let creation = bench.relyingPartyID(bench.declarations.creation["rp"]?["id"])
            let request = bench.relyingPartyID(try await bench.requireBegun().0.options["rpId"])
            recorder.expect(creation == request, creation, seen: request)
        },
        OptionCases.request(
            "allowCredentials.items", "Each allowed credential has a type and an ID.", .webauthn("5.8.3")
        ) { options, recorder in
            OptionCases.expectDescriptors(options["allowCredentials"], "allowCredentials", recorder)
        },
        Case(
            "requestOptions.allowCredentials.registered", "The allowed credentials contain the account's passkey.",
            .webauthn("7.2", step: "1"), needs: [.allowList], effects: [.makesAccount]
        ) { bench, recorder in
            let (begun, passkey) = try await bench.requireBegun()
            let id = JSONValue.text(Base64URL.encode(passkey.id))
            let allowed = PartyDeclarations.allowed(begun.options)
            recorder.expect(
                allowed.contains { $0["id"] == id }, OptionCases.words(id), seen: OptionCases.words(.array(allowed)))
        },
        Case(
            "requestOptions.allowCredentials.transports",
            "The allowed credentials have the transports of the registration.", .webauthn("5.8.3"), level: .should,
            needs: [.allowList], effects: [.makesAccount]
        ) { bench, recorder in
            let (begun, passkey) = try await bench.requireBegun()
            let id = JSONValue.text(Base64URL.encode(passkey.id))
            let item = PartyDeclarations.allowed(begun.options).first { $0["id"] == id }
            recorder.expect(item?["transports"] == ["usb"], "the transport usb", seen: OptionCases.words(item))
        },
        OptionCases.request(
            "userVerification.value", "The user verification requirement for a sign-in is one that clients know.",
            .webauthn("5.8.6"), level: .should
        ) { options, recorder in
            guard let value = options["userVerification"], value != .null else { return }
            recorder.expect(
                value.text.map(["required", "preferred", "discouraged"].contains) ?? false,
                "required, preferred or discouraged", seen: OptionCases.words(value))
        },
        Case(
            "requestOptions.wish.userVerification.required",
            "A request for userVerification: required in a sign-in is honoured.",
            .webauthn("7.2", step: "1"), level: .should, needs: [.requested(.signInVerification)],
            effects: [.makesAccount]
        ) { bench, recorder in
            let (begun, _) = try await bench.requireBegun(SignInForm(userVerification: "required"))
            recorder.expect(
                begun.options["userVerification"]?.text == "required", "required",
                seen: OptionCases.words(begun.options["userVerification"]))
        },
        Case(
            "requestOptions.challenge.fresh", "Each sign-in has a new challenge.", .webauthn("13.4.3"),
            effects: [.makesAccount]
        ) { bench, recorder in
            var seen: Set<String> = []
            for _ in 0..<3 {
                let challenge = try await bench.requireBegun().0.options["challenge"]?.text ?? ""
                recorder.expect(
                    seen.insert(challenge).inserted, "a challenge that was not issued before", seen: challenge)
            }
        },
        Case(
            "requestOptions.challenge.sequence", "The challenges of sign-ins form no sequence.", .webauthn("13.4.3"),
            effects: [.makesAccount]
        ) { bench, recorder in
            try await OptionCases.expectNoSequence(recorder) { try await bench.requireBegun().0.options }
        },
        Case(
            "requestOptions.anonymous", "The options of a sign-in without an account name no credentials.",
            .webauthn("7.2", step: "1"), needs: [.anonymousSignIn], effects: [.makesAccount]
        ) { bench, recorder in
            let (begun, _) = try await bench.requireBegun(SignInForm(isAnonymous: true))
            let allowed = PartyDeclarations.allowed(begun.options)
            recorder.expect(allowed.isEmpty, "no credentials", seen: OptionCases.words(.array(allowed)))
        },
    ]
}
