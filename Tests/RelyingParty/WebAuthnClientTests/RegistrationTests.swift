import CBOR
import COSE
import CTAP
import Crypto
import Testing
import WebAuthn
import WebAuthnClient

struct RegistrationTests {
    @Test func theResponseHoldsTheDevicesAnswer() async throws {
        let device = FakeAuthenticator(["rk": true])
        var options = CreationOptions.test(residentKey: .required, attestation: .direct)
        options.extensions = ClientExtensionInputs(credProps: true)
        let response = try await client(device).create(options, origin: .test("https://login.example.org"))
        let request = try #require(await device.makeCredentials.first)

        let clientData = response.response.clientDataJSON.bytes
        #expect(request.clientDataHash == Array(SHA256.hash(data: clientData)))
        #expect(
            String(decoding: clientData, as: UTF8.self)
                == #"{"type":"webauthn.create","challenge":"AQID","origin":"https://login.example.org","crossOrigin":false}"#
        )
        #expect(request.rp == PublicKeyCredentialRPEntity(id: "example.org", name: "Example"))
        #expect(request.user == PublicKeyCredentialUserEntity(id: [1], name: "ada", displayName: "Ada"))
        #expect(response.rawId.bytes == [0xC0, 0xDE])
        #expect(response.id == "wN4")
        #expect(response.authenticatorAttachment == "cross-platform")
        #expect(response.response.transports == [.nfc, .usb])
        #expect(response.response.publicKeyAlgorithm == -7)
        #expect(response.clientExtensionResults.credProps?.rk == true)
        let object = try AttestationObject(parsing: response.response.attestationObject.bytes)
        #expect(object.authenticatorData == response.response.authenticatorData?.bytes)
        #expect(object.format == "packed")
    }

    @Test func aFrameOfAnotherOriginNamesItsTopOrigin() async throws {
        let device = FakeAuthenticator([:])
        let response = try await client(device).create(
            .test(), origin: .test(), topOrigin: .test("https://shop.example"))
        let clientData = try CollectedClientData(parsing: response.response.clientDataJSON.bytes)
        #expect(clientData.crossOrigin == true)
        #expect(clientData.topOrigin == "https://shop.example")
    }

    // MARK: The options

    @Test(arguments: [0, 65])
    func aUserIDIsOneTo64Bytes(_ length: Int) async throws {
        var options = CreationOptions.test()
        options.user.id = Base64URLBytes([UInt8](repeating: 1, count: length))
        // The RP ID is also wrong: the user ID is checked first.
        options.rp.id = "example.com"
        let device = FakeAuthenticator([:])
        let error = await refusal(options, device)
        #expect(error?.domException == .typeError)
        #expect(error?.reason == .userIDLength)
        #expect(await device.log.isEmpty)
    }

    @Test func theRelyingPartyIDIsCheckedBeforeTheDeviceIsTouched() async throws {
        var options = CreationOptions.test()
        options.rp.id = "example.com"
        let device = FakeAuthenticator([:])
        let error = await refusal(options, device)
        #expect(error?.domException == .securityError)
        #expect(await device.log.isEmpty)
    }

    @Test func es256AndRS256AreTheDefaultParameters() async throws {
        var options = CreationOptions.test()
        options.pubKeyCredParams = []
        let device = FakeAuthenticator([:])
        _ = try await client(device).create(options, origin: .test())
        #expect(await device.makeCredentials.first?.pubKeyCredParams.map(\.algorithm.rawValue) == [-7, -257])
    }

    @Test func unknownCredentialTypesAreSkippedAndAreAnErrorAlone() async throws {
        var options = CreationOptions.test()
        options.pubKeyCredParams = [.init(type: "telepathy", alg: -7), .init(alg: -8)]
        let device = FakeAuthenticator([:])
        _ = try await client(device).create(options, origin: .test())
        #expect(await device.makeCredentials.first?.pubKeyCredParams.map(\.algorithm.rawValue) == [-8])
        options.pubKeyCredParams.removeLast()
        #expect(await refusal(options, device)?.domException == .notSupportedError)
    }

    @Test(
        arguments: [
            (nil, nil, true), (.crossPlatform, nil, true), (.platform, nil, false),
            (.platform, ["security-key"], true), (.platform, ["client-device"], false), (nil, ["client-device"], true),
        ] as [(AuthenticatorAttachment?, [String]?, Bool)])
    func aSecurityKeyServesTheAttachment(_ row: (requested: AuthenticatorAttachment?, hints: [String]?, serves: Bool))
        async throws
    {
        var options = CreationOptions.test(attachment: row.requested)
        options.hints = row.hints
        let error = await refusal(options, FakeAuthenticator([:]))
        #expect(error?.reason == (row.serves ? nil : .attachmentMismatch))
        #expect(error?.domException == (row.serves ? nil : .notAllowedError))
    }

    @Test(
        arguments: [
            (.required, true, true), (.preferred, true, true), (.discouraged, true, nil), (.preferred, false, nil),
            (nil, true, nil),
        ] as [(ResidentKeyRequirement?, Bool, Bool?)])
    func aResidentKeyIsRequested(_ row: (requested: ResidentKeyRequirement?, capable: Bool, option: Bool?)) async throws
    {
        let device = FakeAuthenticator(row.capable ? ["rk": true] : [:])
        _ = try await client(device).create(.test(residentKey: row.requested), origin: .test())
        #expect(await device.makeCredentials.first?.options["rk"] == row.option)
    }

    @Test func aRequiredResidentKeyOnADeviceWithoutThemIsAConstraintError() async throws {
        let error = await refusal(.test(residentKey: .required), FakeAuthenticator(["rk": false]))
        #expect(error?.domException == .constraintError)
        #expect(error?.reason == .residentKeyUnsupported)
    }

    @Test func aPlatformDeviceWithoutTransportsIsInternal() async throws {
        let device = FakeAuthenticator([:]) { $0.transports = nil }
        let response = try await client(device, attachment: .platform).create(.test(), origin: .test())
        #expect(response.response.transports == [.internal])
        #expect(response.authenticatorAttachment == "platform")
    }

    // MARK: Attestation

    @Test(
        arguments: [
            (nil, "none"), (.some(.none), "none"), (.indirect, "packed"), (.direct, "packed"), (.enterprise, "packed"),
        ] as [(AttestationConveyancePreference?, String)])
    func theStatementFollowsTheConveyance(_ row: (requested: AttestationConveyancePreference?, format: String))
        async throws
    {
        let device = FakeAuthenticator([:])
        let response = try await client(device).create(.test(attestation: row.requested), origin: .test())
        let object = try AttestationObject(parsing: response.response.attestationObject.bytes)
        #expect(object.format == row.format)
        #expect((object.statement == [:]) == (row.format == "none"))
        // The device's model stays readable in either case.
        let data = try AuthenticatorData(parsing: object.authenticatorData)
        #expect(data.attestedCredentialData?.aaguid.bytes.first == 0xA1)
    }

    @Test func selfAttestationWithoutAModelIsKept() async throws {
        let device = FakeAuthenticator([:])
        await device.configure { $0.aaguid = [UInt8](repeating: 0, count: 16) }
        let response = try await client(device).create(.test(), origin: .test())
        #expect(try AttestationObject(parsing: response.response.attestationObject.bytes).format == "packed")
    }

    @Test func anAttestationNeedsConsent() async throws {
        let device = FakeAuthenticator(["ep": true])
        var environment = environment()
        environment.consentToAttestation = { $0 != "example.org" }
        let response = try await client(device, environment).create(.test(attestation: .enterprise), origin: .test())
        #expect(try AttestationObject(parsing: response.response.attestationObject.bytes).format == "none")
        #expect(await device.makeCredentials.first?.enterpriseAttestation == nil)
    }

    @Test(arguments: [(nil, nil), (false, nil), (true, 1)] as [(Bool?, Int?)])
    func enterpriseAttestationIsRequestedOnlyWhereEnabled(_ row: (option: Bool?, asked: Int?)) async throws {
        let device = FakeAuthenticator(row.option.map { ["ep": $0] } ?? [:])
        _ = try await client(device).create(.test(attestation: .enterprise), origin: .test())
        #expect(await device.makeCredentials.first?.enterpriseAttestation == row.asked)
    }

    @Test func preferredFormatsAreSentToDevicesThatListFormats() async throws {
        var options = CreationOptions.test(attestation: .direct)
        options.attestationFormats = ["tpm", "packed"]
        let old = FakeAuthenticator([:])
        _ = try await client(old).create(options, origin: .test())
        #expect(await old.makeCredentials.first?.attestationFormatsPreference == nil)
        let new = FakeAuthenticator([:]) { $0.attestationFormats = ["packed"] }
        _ = try await client(new).create(options, origin: .test())
        #expect(await new.makeCredentials.first?.attestationFormatsPreference == ["tpm", "packed"])
    }

    @Test func anAnswerWithoutACredentialIsAnUnknownError() async throws {
        let device = FakeAuthenticator([:])
        let bare = MakeCredentialResponse(
            format: "none", authenticatorData: [UInt8](repeating: 0, count: 37), attestationStatement: [:])
        await device.configure { $0.answers[.makeCredential] = CBOR.encode(bare.cbor) }
        let error = await refusal(.test(), device)
        #expect(error?.domException == .unknownError)
        #expect(error?.reason == .invalidResponse)
    }

    private func refusal(_ options: CreationOptions, _ device: FakeAuthenticator) async -> WebAuthnClientError? {
        let client = client(device)
        let origin = Origin.app(facet: "https://example.org", associatedDomains: ["example.org"])
        return await failure { () async throws(WebAuthnClientError) in
            try await client.create(options, origin: origin)
        }
    }
}
