internal import COSE
internal import Conformance
internal import Documents
internal import ForeignParties
internal import WebAuthn

/// The cases of creation options (WebAuthn L3 §5.4, §7.1 step 1).
enum CreationOptionCases {
    static let all: [Case] =
        OptionCases.shared("for a registration", OptionCases.creation) + entities + parameters + selection + requested
        + fresh

    private static let entities: [Case] = [
        OptionCases.creation("rp.name", "The relying party has a name.", .webauthn("5.4.1")) { options, recorder in
            recorder.expect(
                options["rp"]?["name"]?.text != nil, "rp.name is a text", seen: OptionCases.words(options["rp"]))
        },
        Case(
            "creationOptions.rp.id",
            "The RP ID for a registration, if stated, is the host of the origin or a suffix of it.",
            .webauthn("5.4.2"), effects: [.makesAccount]
        ) { bench, recorder in
            let options = try await bench.requireRegistration().options
            guard let id = options["rp"]?["id"], id != .null else { return }
            recorder.expect(
                id.text.map { OptionCases.isRelyingPartyID($0, for: bench.party.origin) } ?? false,
                "an RP ID that \(bench.party.origin) may claim", seen: OptionCases.words(id))
        },
        OptionCases.creation("user.id", "The user handle has 1 to 64 bytes.", .webauthn("5.4.3")) {
            options, recorder in
            let id = options["user"]?["id"]?.text.flatMap(Base64URL.decode)
            recorder.expect(
                id.map { (1...64).contains($0.count) } ?? false, "1 to 64 bytes in base64url",
                seen: OptionCases.words(options["user"]?["id"]))
        },
        OptionCases.creation("user.name", "The user has a name.", .webauthn("5.4.1")) { options, recorder in
            recorder.expect(
                options["user"]?["name"]?.text != nil, "a text in user.name",
                seen: OptionCases.words(options["user"]))
        },
        OptionCases.creation("user.displayName", "The user has a display name.", .webauthn("5.4.3")) {
            options, recorder in
            recorder.expect(
                options["user"]?["displayName"]?.text != nil, "a text in user.displayName",
                seen: OptionCases.words(options["user"]))
        },
        Case(
            "creationOptions.user.displayName.given", "The display name is the one that the account was made with.",
            .webauthn("5.4.3"), level: .should, needs: [.requested(.displayName)], effects: [.makesAccount]
        ) { bench, recorder in
            let user = try await bench.requireRegistration().options["user"]
            recorder.expect(
                user?["displayName"]?.text == RelyingPartyBench.displayName, RelyingPartyBench.displayName,
                seen: OptionCases.words(user))
        },
        OptionCases.creation(
            "user.id.opaque", "The user handle contains neither the user's name nor an e-mail address.",
            .webauthn("14.6.1")
        ) { options, recorder in
            let id = options["user"]?["id"]?.text.flatMap(Base64URL.decode) ?? []
            // Random bytes are hardly ever UTF-8, but often have the byte of an @.
            guard let text = String(validating: id, as: UTF8.self) else { return }
            let name = options["user"]?["name"]?.text ?? ""
            let isPersonal = text.contains("@") || (!name.isEmpty && (text.contains(name) || name.hasPrefix(text)))
            recorder.expect(!isPersonal, "an opaque user handle", seen: text)
        },
    ]

    private static let parameters: [Case] = [
        OptionCases.creation("pubKeyCredParams.present", "At least one algorithm is offered.", .webauthn("5.4")) {
            options, recorder in
            recorder.expect(
                options["pubKeyCredParams"]?.array?.isEmpty == false, "a list with an algorithm",
                seen: OptionCases.words(options["pubKeyCredParams"]))
        },
        OptionCases.creation(
            "pubKeyCredParams.items", "Each offered algorithm is a number with the type public-key.",
            .webauthn("5.3")
        ) { options, recorder in
            for item in options["pubKeyCredParams"]?.array ?? [] {
                recorder.expect(
                    item["type"]?.text == "public-key" && item["alg"]?.integer != nil,
                    "the type public-key and a number as alg", seen: OptionCases.words(item))
            }
        },
        OptionCases.creation(
            "pubKeyCredParams.unique", "No algorithm is offered twice.", .webauthn("5.4"), level: .should
        ) { options, recorder in
            let algorithms = (options["pubKeyCredParams"]?.array ?? []).compactMap { $0["alg"]?.integer }
            recorder.expect(
                Set(algorithms).count == algorithms.count, "each algorithm once",
                seen: OptionCases.words(options["pubKeyCredParams"]))
        },
        OptionCases.creation(
            "pubKeyCredParams.common", "ES256 and RS256 are offered, which most authenticators have.",
            .webauthn("5.4"), level: .should
        ) { options, recorder in
            let algorithms = (options["pubKeyCredParams"]?.array ?? []).compactMap { $0["alg"]?.integer }
            for algorithm in [COSE.Algorithm.es256, .rs256] {
                recorder.expect(
                    algorithms.contains(algorithm.rawValue), "\(algorithm) (\(algorithm.rawValue))",
                    seen: "\(algorithms)")
            }
        },
        OptionCases.creation(
            "pubKeyCredParams.noRS1", "No algorithm with SHA-1 is offered.", .webauthn("5.4"), level: .should
        ) { options, recorder in
            let algorithms = (options["pubKeyCredParams"]?.array ?? []).compactMap { $0["alg"]?.integer }
            recorder.expect(!algorithms.contains(COSE.Algorithm.rs1.rawValue), "no RS1 (-65535)", seen: "\(algorithms)")
        },
        Case(
            "creationOptions.excludeCredentials.items", "Each excluded credential has a type and an ID.",
            .webauthn("5.8.3"), effects: [.makesAccount]
        ) { bench, recorder in
            // An account without a passkey excludes none.
            if case .accepted = try await bench.control(RegistrationForm()) {
                _ = try await bench.newPasskey(RegistrationForm())
            }
            let options = try await bench.requireRegistration().options
            OptionCases.expectDescriptors(options["excludeCredentials"], "excludeCredentials", recorder)
        },
    ]

    /// A case that a member has one of the values of an enumeration; clients ignore others.
    private static func value(
        _ id: String, _ title: String, _ section: String, _ values: [String],
        _ member: @escaping @Sendable (JSONValue) -> JSONValue?
    ) -> Case {
        OptionCases.creation(id, title, .webauthn(section), level: .should) { options, recorder in
            guard let value = member(options), value != .null else { return }
            recorder.expect(
                value.text.map(values.contains) ?? false, values.joined(separator: ", "),
                seen: OptionCases.words(value))
        }
    }

    private static let selection: [Case] = [
        value(
            "attestation.value", "The attestation conveyance preference is one that clients know.", "5.4.7",
            ["none", "indirect", "direct", "enterprise"]
        ) { $0["attestation"] },
        value(
            "userVerification.value", "The user verification requirement for a registration is one that clients know.",
            "5.8.6",
            ["required", "preferred", "discouraged"]
        ) { $0["authenticatorSelection"]?["userVerification"] },
        value(
            "residentKey.value", "The resident key requirement is one that clients know.", "5.4.6",
            ["required", "preferred", "discouraged"]
        ) { $0["authenticatorSelection"]?["residentKey"] },
        value(
            "authenticatorAttachment.value", "The authenticator attachment is one that clients know.", "5.4.5",
            ["platform", "cross-platform"]
        ) { $0["authenticatorSelection"]?["authenticatorAttachment"] },
        OptionCases.creation(
            "requireResidentKey", "requireResidentKey is true exactly where residentKey is required.",
            .webauthn("5.4.4"), level: .should
        ) { options, recorder in
            let selection = options["authenticatorSelection"]
            guard let residentKey = selection?["residentKey"]?.text else { return }
            let isRequired = selection?["requireResidentKey"]?.bool ?? false
            recorder.expect(
                isRequired == (residentKey == "required"), "requireResidentKey: \(residentKey == "required")",
                seen: OptionCases.words(selection))
        },
    ]

    /// A case that a request of the caller is honoured.
    private static func requested(
        _ id: String, _ name: String, _ value: String, _ need: RelyingPartyNeed.Requested,
        _ require: @escaping @Sendable (inout PartyRequirements) -> Void,
        _ member: @escaping @Sendable (JSONValue) -> JSONValue?
    ) -> Case {
        Case(
            "creationOptions.wish.\(id)", "A request for \(name): \(value) in a registration is honoured.",
            .webauthn("7.1", step: "1"),
            level: .should, needs: [.requested(need)], effects: [.makesAccount]
        ) { bench, recorder in
            var requirements = PartyRequirements()
            require(&requirements)
            guard let begun = try await bench.beginRegistration(requirements) else {
                throw recorder.fail("creation options", seen: await bench.lastRefusal)
            }
            recorder.expect(member(begun.options)?.text == value, value, seen: OptionCases.words(member(begun.options)))
        }
    }

    private static let requested: [Case] =
        ["none", "direct"].map { value in
            requested("attestation.\(value)", "attestation", value, .attestation) {
                $0.attestation = value
            } _: {
                $0["attestation"] ?? (value == "none" ? "none" : nil)
            }
        }
        + ["required", "preferred", "discouraged"].map { value in
            requested("residentKey.\(value)", "residentKey", value, .residentKey) {
                $0.residentKey = value
            } _: {
                $0["authenticatorSelection"]?["residentKey"]
            }
        }
        + [
            requested("userVerification.required", "userVerification", "required", .registrationVerification) {
                $0.userVerification = "required"
            } _: {
                $0["authenticatorSelection"]?["userVerification"]
            }
        ]

    private static let fresh: [Case] = [
        Case(
            "creationOptions.challenge.fresh", "Each registration has a new challenge.", .webauthn("13.4.3"),
            effects: [.makesAccount]
        ) { bench, recorder in
            var seen: Set<String> = []
            for _ in 0..<3 {
                let challenge = try await bench.requireRegistration().options["challenge"]?.text ?? ""
                recorder.expect(
                    seen.insert(challenge).inserted, "a challenge that was not issued before", seen: challenge)
            }
        },
        Case(
            "creationOptions.challenge.sequence", "The challenges of registrations form no sequence.",
            .webauthn("13.4.3"), effects: [.makesAccount]
        ) { bench, recorder in
            try await OptionCases.expectNoSequence(recorder) { try await bench.requireRegistration().options }
        },
        Case(
            "creationOptions.user.id.stable", "The user handle of an account stays the same.", .webauthn("5.4.3"),
            effects: [.makesAccount]
        ) { bench, recorder in
            try await bench.changeAccount()
            let first = try await bench.requireRegistration()
            let second = try await bench.requireRegistration()
            guard first.account == second.account else { throw CaseStop.notRun("the account changed") }
            recorder.expect(
                first.options["user"]?["id"] == second.options["user"]?["id"],
                OptionCases.words(first.options["user"]?["id"]), seen: OptionCases.words(second.options["user"]?["id"]))
        },
        Case(
            "creationOptions.user.id.distinct", "The user handles of two accounts differ.", .webauthn("5.4.3"),
            needs: [.accounts], effects: [.makesAccount]
        ) { bench, recorder in
            let first = try await bench.requireRegistration()
            let other = try await bench.newRegistrant()
            guard let second = try await bench.beginRegistration(PartyRequirements(), at: other) else {
                throw recorder.fail("creation options", seen: await bench.lastRefusal)
            }
            recorder.expect(
                first.options["user"]?["id"] != second.options["user"]?["id"], "two user handles",
                seen: OptionCases.words(second.options["user"]?["id"]))
        },
    ]
}
