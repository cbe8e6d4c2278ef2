import CBOR
import CTAP
import Testing
import VirtualAuthenticator
import WebAuthn
import WebAuthnClient

/// The extensions with one input value and one output value (WebAuthn L3 §10, CTAP 2.3 §12).
struct ExtensionTests {
    private static func withoutExtensions(_ configuration: inout AuthenticatorConfiguration) {
        configuration.versions = ["FIDO_2_0"]
        configuration.extensions = []
    }

    // MARK: credProps

    @Test(
        arguments: [(.required, true), (.preferred, true), (.discouraged, false)] as [(ResidentKeyRequirement, Bool)])
    func credPropsSaysWhetherTheCredentialIsDiscoverable(_ row: (requested: ResidentKeyRequirement, rk: Bool))
        async throws
    {
        let bench = try await VirtualBench()
        let response = try await bench.create(ClientExtensionInputs(credProps: true), residentKey: row.requested)
        #expect(response.clientExtensionResults == ClientExtensionResults(credProps: .init(rk: row.rk)))
        #expect(try response.outputs == nil)
    }

    @Test(
        "A device of CTAP 2.0 may keep a passkey that was not asked for, so credProps does not say",
        arguments: [
            (.required, true), (.preferred, true), (.discouraged, nil),
        ] as [(ResidentKeyRequirement, Bool?)])
    func credPropsOfCTAP20(_ row: (requested: ResidentKeyRequirement, rk: Bool?)) async throws {
        let bench = try await VirtualBench(Self.withoutExtensions)
        let response = try await bench.create(ClientExtensionInputs(credProps: true), residentKey: row.requested)
        #expect(response.clientExtensionResults == ClientExtensionResults(credProps: .init(rk: row.rk)))
    }

    @Test(arguments: [nil, false])
    func aRequestWithoutExtensionsHasNoOutputs(_ requested: Bool?) async throws {
        let bench = try await VirtualBench()
        let extensions = ClientExtensionInputs(
            credProps: requested, getCredBlob: requested, minPinLength: requested, pinComplexityPolicy: requested,
            uvm: requested,
            payment: PaymentInputs(isPayment: requested))
        let created = try await bench.create(extensions)
        #expect(created.clientExtensionResults == ClientExtensionResults())
        #expect(try created.outputs == nil)
        let response = try await bench.get(extensions)
        #expect(response.clientExtensionResults == ClientExtensionResults())
        #expect(try response.outputs == nil)
    }

    @Test func aDeviceWithoutExtensionsReceivesNone() async throws {
        let device = FakeAuthenticator([:])
        await device.add([1])
        let everything = ClientExtensionInputs(
            credProps: true, prf: PRFInputs(), largeBlob: LargeBlobInputs(),
            credentialProtectionPolicy: .userVerificationRequired, credBlob: [1], getCredBlob: true, minPinLength: true,
            pinComplexityPolicy: true, uvm: true, payment: PaymentInputs(isPayment: true))
        var creation = CreationOptions.test()
        creation.extensions = everything
        let created = try await client(device).create(creation, origin: .test())
        #expect(
            created.clientExtensionResults
                == ClientExtensionResults(
                    credProps: .init(rk: false), prf: PRFOutputs(enabled: false),
                    largeBlob: LargeBlobOutputs(supported: false), credBlob: false))
        var request = RequestOptions.test()
        request.extensions = everything
        let response = try await client(device).get(request, origin: .test())
        #expect(response.clientExtensionResults == ClientExtensionResults(prf: PRFOutputs(), getCredBlob: []))
        #expect(await device.makeCredentials.map(\.extensions) == [nil])
        #expect(await device.assertions.map(\.extensions) == [nil])
    }

    // MARK: credProtect

    @Test(
        arguments: [
            (.userVerificationOptional, 1), (.userVerificationOptionalWithCredentialIDList, 2),
            (.userVerificationRequired, 3),
        ] as [(CredentialProtectionPolicy, CBOR.Value)])
    func aProtectionPolicyIsALevel(_ row: (policy: CredentialProtectionPolicy, level: CBOR.Value)) async throws {
        let bench = try await VirtualBench()
        let extensions = ClientExtensionInputs(
            credentialProtectionPolicy: row.policy, enforceCredentialProtectionPolicy: true)
        let response = try await bench.create(extensions)
        #expect(try response.outputs == ["credProtect": row.level])
        #expect(response.clientExtensionResults == ClientExtensionResults())
    }

    @Test(
        arguments: [
            (.userVerificationOptional, true, true), (.userVerificationOptionalWithCredentialIDList, true, false),
            (.userVerificationRequired, true, false), (.userVerificationRequired, false, true),
            (.userVerificationRequired, nil, true), (nil, true, true),
        ] as [(CredentialProtectionPolicy?, Bool?, Bool)])
    func anEnforcedPolicyNeedsADeviceThatSupportsIt(
        _ row: (policy: CredentialProtectionPolicy?, enforce: Bool?, isMade: Bool)
    ) async throws {
        let bench = try await VirtualBench(Self.withoutExtensions)
        let extensions = ClientExtensionInputs(
            credentialProtectionPolicy: row.policy, enforceCredentialProtectionPolicy: row.enforce)
        let error = await failure { () async throws(WebAuthnClientError) in try await bench.create(extensions) }
        #expect(error?.domException == (row.isMade ? nil : .notAllowedError))
        #expect(error?.reason == (row.isMade ? nil : .credentialProtectionUnsupported))
        #expect(await bench.device.snapshot().credentials.count == (row.isMade ? 1 : 0))
    }

    // MARK: credBlob

    @Test func aCredBlobIsReturnedAtSignIn() async throws {
        let bench = try await VirtualBench()
        let created = try await bench.create(ClientExtensionInputs(credBlob: [1, 2, 3]))
        #expect(created.clientExtensionResults == ClientExtensionResults(credBlob: true))
        let response = try await bench.get(ClientExtensionInputs(getCredBlob: true), allow: [created.credentialID])
        #expect(response.clientExtensionResults == ClientExtensionResults(getCredBlob: [1, 2, 3]))
    }

    @Test func aCredBlobThatIsTooLongIsNotStored() async throws {
        let bench = try await VirtualBench()
        let long = [UInt8](repeating: 1, count: 65)
        let created = try await bench.create(ClientExtensionInputs(credBlob: long))
        #expect(created.clientExtensionResults == ClientExtensionResults(credBlob: false))
        let response = try await bench.get(ClientExtensionInputs(getCredBlob: true))
        #expect(response.clientExtensionResults == ClientExtensionResults(getCredBlob: []))
    }

    // MARK: The PIN's policy

    @Test(arguments: [true, false])
    func thePINsPolicyIsSentOnlyToPermittedRelyingParties(_ mayKnow: Bool) async throws {
        let bench = try await VirtualBench { $0.minPINLengthRelyingPartyIDs = mayKnow ? ["example.org"] : [] }
        let response = try await bench.create(ClientExtensionInputs(minPinLength: true, pinComplexityPolicy: true))
        let expected: CBOR.Map? = mayKnow ? ["minPinLength": 4, "pinComplexityPolicy": false] : nil
        #expect(try response.outputs == expected)
        #expect(response.clientExtensionResults == ClientExtensionResults())
    }

    // MARK: uvm

    @Test(arguments: [(true, false, 0x800), (false, true, 0x02), (false, false, 0x01)] as [(Bool, Bool, UInt32)])
    func uvmNamesTheVerificationMethod(_ row: (pin: Bool, finger: Bool, method: UInt32)) async throws {
        // Verified in the request itself, so that the device knows the method.
        let bench = try await VirtualBench(pin: row.pin, finger: row.finger) {
            guard row.finger else { return }
            $0.versions = ["FIDO_2_0"]
            $0.supportsPinUvAuthToken = false
        }
        let requirement: UserVerificationRequirement = row.pin || row.finger ? .required : .discouraged
        let expected = ClientExtensionResults(uvm: [[row.method, 1, 1]])
        let created = try await bench.create(ClientExtensionInputs(uvm: true), userVerification: requirement)
        #expect(created.clientExtensionResults == expected)
        let response = try await bench.get(ClientExtensionInputs(uvm: true), userVerification: requirement)
        #expect(response.clientExtensionResults == expected)
    }

    // MARK: payment

    @Test func aPaymentCredentialIsMarked() async throws {
        let bench = try await VirtualBench()
        let payment = ClientExtensionInputs(payment: PaymentInputs(isPayment: true))
        let paying = try await bench.create(payment)
        #expect(try paying.outputs == ["thirdPartyPayment": true])
        let plain = try await bench.create(user: [2])
        for (id, mark) in [(paying.credentialID, true), (plain.credentialID, false)] as [([UInt8], CBOR.Value)] {
            let response = try await bench.get(payment, allow: [id])
            #expect(try response.outputs == ["thirdPartyPayment": mark])
            #expect(response.clientExtensionResults == ClientExtensionResults())
        }
    }

    // MARK: The device's outputs

    @Test(
        "an output of the wrong shape counts as none",
        arguments: [
            ["uvm": [[1, 2]]], ["uvm": [1]], ["uvm": "x"], ["uvm": [[1, 2, -3]]], ["credBlob": 1],
            ["hmac-secret": .bytes([1]), "credBlob": "x"], ["uvm": [[1, 2, .unsigned(.max)]]],
        ] as [CBOR.Map])
    func malformedOutputs(_ outputs: CBOR.Map) async throws {
        let device = FakeAuthenticator([:]) { $0.extensions = ["uvm", "credBlob", "hmac-secret"] }
        let key: CBOR.Value = [1: 2, 3: -7, -1: 1, -2: .bytes([]), -3: .bytes([])]
        let data = AuthenticatorData(
            relyingPartyIDHash: [UInt8](repeating: 0, count: 32), flags: [.userPresent], signCount: 1,
            attestedCredentialData: .init(aaguid: .zero, credentialID: [1], credentialPublicKey: key),
            extensions: outputs)
        let answer = MakeCredentialResponse(
            format: "none", authenticatorData: data.encoded, attestationStatement: [:])
        await device.configure { $0.answers[.makeCredential] = CBOR.encode(answer.cbor) }
        var options = CreationOptions.test()
        options.extensions = ClientExtensionInputs(prf: PRFInputs(), credBlob: [1], uvm: true)
        let response = try await client(device).create(options, origin: .test())
        #expect(
            response.clientExtensionResults == ClientExtensionResults(prf: PRFOutputs(enabled: false), credBlob: false))
    }
}
