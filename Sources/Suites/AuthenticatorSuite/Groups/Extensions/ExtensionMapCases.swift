internal import CBOR
internal import CTAP
internal import Conformance
internal import WebAuthn

extension AuthenticatorSuite {
    /// The extensions' map, and extensions that getInfo does not list (CTAP 2.3 §6.1.2, §6.2.2, §12).
    package static let extensions = Group("extensions", "Extensions in general", ExtensionMapCases.all)
}

enum ExtensionMapCases {
    static let all = unknown + malformed + unsupported + truthful

    @CaseTable private static var unknown: [Case] {
        Case(
            "extensions.unknown.registration", "A registration ignores an extension that it does not know.",
            .ctap("6.1.2", step: "15"), needs: [.credentials], person: [.touch]
        ) { bench in
            let made = try await bench.makeAny(extensions: ["touchstone-unknown": ["a": 1]])
            bench.expect(
                !made.data.flags.contains(.extensionData), "no extension outputs",
                seen: "the flags \(made.data.flags.abbreviations)")
        }
        Case(
            "extensions.unknown.assertion", "An assertion ignores an extension that it does not know.",
            .ctap("6.2.2", step: "10"), needs: [.credentials], person: [.touch, .touch]
        ) { bench in
            let made = try await bench.makeAny()
            let given = try await bench.anyAssertion(with: made, extensions: ["touchstone-unknown": true])
            bench.expect(
                !given.data.flags.contains(.extensionData), "no extension outputs",
                seen: "the flags \(given.data.flags.abbreviations)")
        }
        Case(
            "extensions.empty.registration", "A registration with an empty map of extensions has no outputs.",
            .ctap("6.1.2", step: "15"), needs: [.credentials], person: [.touch]
        ) { bench in
            var request = try await bench.authorized(makeCredential: bench.makeCredentialParameters())
            request[0x06] = [:]
            let answer = try await bench.send(.makeCredential, request)
            let made = try bench.note(answer, of: request)
            bench.expect(
                !made.data.flags.contains(.extensionData), "no extension outputs",
                seen: "the flags \(made.data.flags.abbreviations)")
        }
        Case(
            "extensions.empty.assertion", "An assertion with an empty map of extensions has no outputs.",
            .ctap("6.2.2", step: "10"), needs: [.credentials, .optionOff(.alwaysUv)], person: [.touch, .touch]
        ) { bench in
            let made = try await bench.makeAny()
            var request = bench.assertRequest(allowing: [made])
            request[0x04] = [:]
            let given = try bench.given(try await bench.send(.getAssertion, request))
            bench.expect(
                !given.data.flags.contains(.extensionData), "no extension outputs",
                seen: "the flags \(given.data.flags.abbreviations)")
        }
        Case(
            "extensions.none", "A registration without extensions has no outputs.", .ctap("6.1.2", step: "15"),
            needs: [.credentials], person: [.touch]
        ) { bench in
            let made = try await bench.makeAny()
            bench.expect(
                !made.data.flags.contains(.extensionData), "no extension outputs",
                seen: "the flags \(made.data.flags.abbreviations)", level: .should)
        }
    }

    /// Values of the member other than a map of texts.
    @CaseTable private static var malformed: [Case] {
        for (name, value) in [
            ("array", CBOR.Value.array(["credProtect"])), ("text", "credProtect"), ("bytes", .bytes([1])),
            ("number", 1),
        ] {
            Case(
                "extensions.wrongType.registration.\(name)",
                "A registration with extensions as a \(value.kind.rawValue) is refused.", .ctap("6.1.2"),
                level: .should, needs: [.credentials], person: [.touch]
            ) { bench in
                var request = try await bench.authorized(makeCredential: bench.makeCredentialParameters())
                request[0x06] = value
                try await bench.refuse(.makeCredential, request, with: AuthenticatorSuite.formRefusals)
            }
            Case(
                "extensions.wrongType.assertion.\(name)",
                "An assertion with extensions as a \(value.kind.rawValue) is refused.", .ctap("6.2.2"),
                level: .should, needs: [.credentials], person: [.touch]
            ) { bench in
                let made = try await bench.makeAny()
                var request = bench.assertRequest(allowing: [made], options: ["up": false])
                request[0x04] = value
                try await bench.refuse(.getAssertion, request, with: AuthenticatorSuite.formRefusals)
            }
        }
    }

    /// Extensions of CTAP with a valid input: an authenticator that does not list one must not answer it.
    @CaseTable private static var unsupported: [Case] {
        for (name, value) in [
            ("credProtect", CBOR.Value.integer(2)), ("credBlob", .bytes([1, 2, 3])), ("minPinLength", true),
            ("hmac-secret", true), ("largeBlobKey", true), ("thirdPartyPayment", true), ("pinComplexityPolicy", true),
            ("uvm", true),
        ] {
            Case(
                "extensions.unlisted.\(name)", "A registration ignores \(name) where getInfo does not list it.",
                .ctap("6.1.2", step: "15"), needs: [.unsupported(name), .credentials], person: [.touch]
            ) { bench in
                let made = try await bench.makeAny(extensions: [.text(name): value])
                bench.expect(
                    made.outputs[name] == nil && made.response[0x05] == nil, "no output of \(name)", seen: "an output")
            }
        }
    }

    /// Members of getInfo beside its extensions (CTAP 2.3 §6.4).
    @CaseTable private static var truthful: [Case] {
        Case(
            "extensions.getInfo.distinct", "The answer to getInfo lists every extension once.", .ctap("6.4"),
            needs: [.member(.extensions)]
        ) { bench in
            let names = bench.info.extensions ?? []
            bench.expect(Set(names).count == names.count, "distinct names", seen: "\(names)")
        }
        Case(
            "extensions.getInfo.mcNeedsSecret", "The answer to getInfo lists hmac-secret beside hmac-secret-mc.",
            .ctap("12.8"), needs: [.supported("hmac-secret-mc")]
        ) { bench in bench.expect(bench.supports("hmac-secret"), "hmac-secret", seen: "hmac-secret-mc alone") }
        Case(
            "extensions.getInfo.minPinLength",
            "The answer to getInfo lists minPinLength exactly where it declares setMinPINLength.",
            .ctap("12.5"), level: .should, needs: [.option(.authnrCfg)]
        ) { bench in
            let declared = bench.has(.setMinPINLength)
            bench.expect(
                bench.supports("minPinLength") == declared,
                declared ? "minPinLength" : "no minPinLength", seen: "the contrary")
        }
    }
}
