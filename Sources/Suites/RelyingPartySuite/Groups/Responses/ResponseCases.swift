internal import Conformance
internal import Documents
internal import ForeignParties
internal import WebAuthn

/// The cases of the form of responses (WebAuthn L3 §5.1.8, §7.1 step 3, §7.2 step 3).
enum ResponseCases {
    static let registration: [Case] =
        ResponseRow.all(.registration).map { $0.conformanceCase(.registration) } + own + discoverability
    static let assertion: [Case] = ResponseRow.all(.assertion).map { $0.conformanceCase(.assertion) } + ownOfAssertion

    private static let own: [Case] = [
        Case(
            "registration.response.valid", "An unchanged registration is accepted.", .webauthn("7.1"),
            effects: [.makesAccount]
        ) { bench, recorder in
            try await bench.registerUnchanged(RegistrationForm(), recorder)
        },
        .registration(
            "response.id.attested", with: "an id and a rawId that are not the attested credential ID", is: .refused,
            .webauthn("7.1", step: "27"), level: .should
        ) {
            $0.changeResponse = {
                let id = Base64URL.encode([UInt8](repeating: 0xA5, count: 32))
                $0.set("id", to: .text(id))
                $0.set("rawId", to: .text(id))
            }
        },
        .registration(
            "response.assertion", with: "the response of an assertion", is: .refused, .webauthn("7.1", step: "3")
        ) { registration in
            let data = registration.authenticatorData.encoded
            registration.changeResponse = {
                $0.set("response", "attestationObject", to: nil)
                $0.set("response", "authenticatorData", to: .text(Base64URL.encode(data)))
                $0.set("response", "signature", to: "MEUCIQ")
            }
        },
        .registration(
            "response.transports.unknown", with: "an unknown transport", is: .accepted, .webauthn("5.2.1"),
            level: .should
        ) {
            $0.changeResponse = { $0.set("response", "transports", to: ["usb", "carrier-pigeon"]) }
        },
        .registration(
            "response.transports.empty", with: "an empty list of transports", is: .accepted, .webauthn("5.2.1.1")
        ) {
            $0.changeResponse = { $0.set("response", "transports", to: []) }
        },
        .registration(
            "response.transports.missing", with: "no list of transports", is: .accepted, .webauthn("5.2.1.1"),
            level: .should
        ) {
            $0.changeResponse = { $0.set("response", "transports", to: nil) }
        },
        .registration(
            "response.easyMembers.missing", with: "neither publicKey nor publicKeyAlgorithm", is: .accepted,
            .webauthn("5.2.1.1"), level: .should
        ) {
            $0.changeResponse = {
                $0.set("response", "publicKey", to: nil)
                $0.set("response", "publicKeyAlgorithm", to: nil)
                $0.set("response", "authenticatorData", to: nil)
            }
        },
    ]

    /// A client that says that the credential cannot be found without its ID (WebAuthn L3 §10.1.3, §7.1 step 28).
    private static let discoverability: [Case] = [
        Case(
            "registration.extensions.credProps.notDiscoverable",
            "A registration whose credProps denies a required discoverable credential is refused.",
            .webauthn("7.1", step: "28"), level: .may, needs: [.requested(.residentKey)], effects: [.makesAccount]
        ) { bench, recorder in
            try await bench.requireControl(RegistrationForm())
            var requirements = PartyRequirements()
            requirements.residentKey = "required"
            guard let begun = try await bench.beginRegistration(requirements) else {
                throw recorder.fail("creation options", seen: await bench.lastRefusal)
            }
            guard begun.options["extensions"]?["credProps"]?.bool == true else {
                throw CaseStop.notApplicable("the options do not ask for credProps")
            }
            var registration = try await bench.forge(RegistrationForm(), begun)
            registration.changeResponse = { $0.set("clientExtensionResults", "credProps", to: ["rk": false]) }
            bench.judge(try await bench.complete(begun, try registration.response()), .refused, recorder)
        }
    ]

    private static let ownOfAssertion: [Case] = [
        Case(
            "assertion.response.valid", "An unchanged assertion is accepted.", .webauthn("7.2"),
            effects: [.makesAccount]
        ) { bench, recorder in
            try await bench.signInUnchanged(PasskeyForm(), recorder)
        },
        .assertion(
            "response.attestation", with: "the response of a registration", is: .refused, .webauthn("7.2", step: "3")
        ) {
            $0.changeResponse = { response in
                let data = response["response"]?["authenticatorData"]
                response.set("response", "attestationObject", to: data)
                response.set("response", "authenticatorData", to: nil)
                response.set("response", "signature", to: nil)
            }
        },
        .assertion(
            "response.unknownCredential", with: "the ID of an unknown credential", is: .refused,
            .webauthn("7.2", step: "6")
        ) {
            $0.credentialID = [UInt8](repeating: 0xA5, count: 32)
        },
    ]
}
