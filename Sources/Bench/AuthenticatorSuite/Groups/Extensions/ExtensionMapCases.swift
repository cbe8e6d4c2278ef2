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

    private static let unknown: [AuthenticatorCase] = [
        AuthenticatorCase(
            "extensions.unknown.registration", "A registration ignores an extension that it does not know.",
            .ctap("6.1.2", step: "15"), needs: [.credentials], person: [.touch]
        ) { platform in
            let made = try await platform.makeAny(extensions: ["touchstone-unknown": ["a": 1]])
            platform.recorder.expect(
                !made.data.flags.contains(.extensionData), "no extension outputs",
                seen: "the flags \(made.data.flags.abbreviations)")
        },
        AuthenticatorCase(
            "extensions.unknown.assertion", "An assertion ignores an extension that it does not know.",
            .ctap("6.2.2", step: "10"), needs: [.credentials], person: [.touch, .touch]
        ) { platform in
            let made = try await platform.makeAny()
            let given = try await platform.anyAssertion(with: made, extensions: ["touchstone-unknown": true])
            platform.recorder.expect(
                !given.data.flags.contains(.extensionData), "no extension outputs",
                seen: "the flags \(given.data.flags.abbreviations)")
        },
        AuthenticatorCase(
            "extensions.empty.registration", "A registration with an empty map of extensions has no outputs.",
            .ctap("6.1.2", step: "15"), needs: [.credentials], person: [.touch]
        ) { platform in
            var request = try await platform.bench.authorized(
                makeCredential: platform.bench.makeCredentialParameters())
            request[0x06] = [:]
            let answer = try await platform.send(.makeCredential, request)
            let made = try platform.bench.note(answer, of: request, platform.recorder)
            platform.recorder.expect(
                !made.data.flags.contains(.extensionData), "no extension outputs",
                seen: "the flags \(made.data.flags.abbreviations)")
        },
        AuthenticatorCase(
            "extensions.empty.assertion", "An assertion with an empty map of extensions has no outputs.",
            .ctap("6.2.2", step: "10"), needs: [.credentials, .optionOff(.alwaysUv)], person: [.touch, .touch]
        ) { platform in
            let made = try await platform.makeAny()
            var request = platform.assertRequest(allowing: [made])
            request[0x04] = [:]
            let given = try platform.given(try await platform.send(.getAssertion, request))
            platform.recorder.expect(
                !given.data.flags.contains(.extensionData), "no extension outputs",
                seen: "the flags \(given.data.flags.abbreviations)")
        },
        AuthenticatorCase(
            "extensions.none", "A registration without extensions has no outputs.", .ctap("6.1.2", step: "15"),
            needs: [.credentials], person: [.touch]
        ) { platform in
            let made = try await platform.makeAny()
            platform.recorder.expect(
                !made.data.flags.contains(.extensionData), "no extension outputs",
                seen: "the flags \(made.data.flags.abbreviations)", level: .should)
        },
    ]

    /// Values of the member of another type than a map of texts.
    private static let malformed: [AuthenticatorCase] = [
        ("array", CBOR.Value.array(["credProtect"])), ("text", "credProtect"), ("bytes", .bytes([1])), ("number", 1),
    ].flatMap { name, value in
        [
            AuthenticatorCase(
                "extensions.wrongType.registration.\(name)",
                "A registration with extensions as a \(value.kind.rawValue) is refused.", .ctap("6.1.2"),
                needs: [.credentials], person: [.touch]
            ) { platform in
                var request = try await platform.bench.authorized(
                    makeCredential: platform.bench.makeCredentialParameters())
                request[0x06] = value
                try await platform.refuse(.makeCredential, request, with: RequestChange.wrongTypeStatuses)
            },
            AuthenticatorCase(
                "extensions.wrongType.assertion.\(name)",
                "An assertion with extensions as a \(value.kind.rawValue) is refused.", .ctap("6.2.2"),
                needs: [.credentials], person: [.touch]
            ) { platform in
                let made = try await platform.makeAny()
                var request = platform.assertRequest(allowing: [made], options: ["up": false])
                request[0x04] = value
                try await platform.refuse(.getAssertion, request, with: RequestChange.wrongTypeStatuses)
            },
        ]
    }

    /// Extensions of CTAP with a valid input: an authenticator that does not list one must not answer it.
    private static let unsupported: [AuthenticatorCase] = [
        ("credProtect", CBOR.Value.integer(2)), ("credBlob", .bytes([1, 2, 3])), ("minPinLength", true),
        ("hmac-secret", true), ("largeBlobKey", true), ("thirdPartyPayment", true), ("pinComplexityPolicy", true),
        ("uvm", true),
    ].map { name, value in
        AuthenticatorCase(
            "extensions.unlisted.\(name)", "A registration ignores \(name) where getInfo does not list it.",
            .ctap("6.1.2", step: "15"), needs: [.unsupported(name), .credentials], person: [.touch]
        ) { platform in
            let made = try await platform.makeAny(extensions: [.text(name): value])
            platform.recorder.expect(
                made.outputs[name] == nil && made.response[0x05] == nil, "no output of \(name)", seen: "an output")
        }
    }

    /// What getInfo says together with its extensions (CTAP 2.3 §6.4).
    private static let truthful: [AuthenticatorCase] = [
        AuthenticatorCase(
            "extensions.getInfo.distinct", "The answer to getInfo lists every extension once.", .ctap("6.4"),
            needs: [.member(.extensions)]
        ) { platform in
            let names = platform.bench.info.extensions ?? []
            platform.recorder.expect(Set(names).count == names.count, "distinct names", seen: "\(names)")
        },
        AuthenticatorCase(
            "extensions.getInfo.mcNeedsSecret", "The answer to getInfo lists hmac-secret beside hmac-secret-mc.",
            .ctap("12.8"),
            needs: [.supported("hmac-secret-mc")]
        ) { platform in
            platform.recorder.expect(
                platform.bench.supports("hmac-secret"), "hmac-secret", seen: "hmac-secret-mc alone")
        },
        AuthenticatorCase(
            "extensions.getInfo.minPinLength",
            "The answer to getInfo lists minPinLength exactly where it declares setMinPINLength.",
            .ctap("12.5"), level: .should, needs: [.option(.authnrCfg)]
        ) { platform in
            let declared = platform.bench.has(.setMinPINLength)
            platform.recorder.expect(
                platform.bench.supports("minPinLength") == declared,
                declared ? "minPinLength" : "no minPinLength", seen: "the contrary")
        },
    ]
}
