import CTAP
import Crypto
import Testing
import WebAuthn
import WebAuthnClient

struct AuthenticationTests {
    @Test func theResponseHoldsTheDevicesAnswer() async throws {
        let device = FakeAuthenticator([:])
        await device.add([1])
        let response = try await client(device, attachment: .platform).get(.test(), origin: .test())
        let clientData = response.response.clientDataJSON.bytes
        #expect(
            String(decoding: clientData, as: UTF8.self)
                == #"{"type":"webauthn.get","challenge":"BAUG","origin":"https://example.org","crossOrigin":false}"#)
        // The fake device's signature is the hash it was given.
        #expect(response.response.signature.bytes == Array(SHA256.hash(data: clientData)))
        #expect(response.response.authenticatorData.bytes == [0xAD])
        #expect(response.response.userHandle?.bytes == [0xF0, 1])
        #expect(response.rawId.bytes == [1])
        #expect(response.authenticatorAttachment == "platform")
    }

    @Test func aRequestWithoutAListUsesDiscoverableCredentials() async throws {
        for allow in [nil, []] as [[[UInt8]]?] {
            let device = FakeAuthenticator([:])
            await device.add([1])
            _ = try await client(device).get(.test(allow: allow), origin: .test())
            #expect(await device.assertions.map(\.allowList) == [nil])
        }
    }

    @Test(arguments: [0, 1, 2])
    func theUserChoosesAmongSeveralAccounts(_ choice: Int) async throws {
        let device = FakeAuthenticator([:])
        await device.add([1], [2], [3])
        let person = User(choosing: choice)
        let response = try await client(device, environment(person)).get(.test(), origin: .test())
        #expect(response.rawId.bytes == [UInt8(choice + 1)])
        #expect(response.response.userHandle?.bytes == [0xF0, UInt8(choice + 1)])
        #expect(await device.story == ["get", "next", "next"])
        #expect(await person.accounts.map(\.credentialID) == [[1], [2], [3]])
        #expect(await person.accounts.first?.name == "account [1]")
    }

    @Test(arguments: [nil, 3, -1] as [Int?])
    func aMissingChoiceIsNotAllowed(_ choice: Int?) async throws {
        let device = FakeAuthenticator([:])
        await device.add([1], [2], [3])
        let client = client(device, environment(User(choosing: choice)))
        let origin = try Origin.test()
        let error = await failure { () async throws(WebAuthnClientError) in
            try await client.get(.test(), origin: origin)
        }
        #expect(error?.domException == .notAllowedError)
        #expect(error?.reason == .accountNotChosen)
    }

    @Test func aChoiceOnTheDeviceIsNotRepeated() async throws {
        let device = FakeAuthenticator([:])
        await device.add([1], [2])
        await device.configure { $0.userSelected = true }
        let person = User(choosing: nil)
        let response = try await client(device, environment(person)).get(.test(), origin: .test())
        #expect(response.rawId.bytes == [1])
        #expect(await device.story == ["get"])
    }

    @Test func theHostIsTheDefaultRPID() async throws {
        let device = FakeAuthenticator([:])
        await device.add([1])
        var options = RequestOptions.test()
        options.rpId = nil
        _ = try await client(device).get(options, origin: .test("https://login.example.org"))
        #expect(await device.assertions.first?.relyingPartyID == "login.example.org")
    }
}
