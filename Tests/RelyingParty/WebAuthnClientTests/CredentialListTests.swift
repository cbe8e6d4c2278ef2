import CBOR
import CTAP
import Testing
import WebAuthn
import WebAuthnClient

/// Exclude and allow lists: split to the device's limits, searched silently, reduced to the match.
struct CredentialListTests {
    private func ids(_ count: Int) -> [[UInt8]] { (0..<count).map { [1, UInt8(truncatingIfNeeded: $0)] } }

    @Test(
        arguments: [
            (nil, [1, 1, 1, 1, 1]), (1, [1, 1, 1, 1, 1]), (2, [2, 2, 1]), (5, [5]), (8, [5]),
        ] as [(Int?, [Int])])
    func aListIsSearchedInPartsWithinTheDevicesLimit(_ row: (limit: Int?, pieces: [Int])) async throws {
        let device = FakeAuthenticator([:]) { $0.maxCredentialCountInList = row.limit }
        _ = try await client(device).create(.test(exclude: ids(5)), origin: .test())
        let searches = await device.assertions
        #expect(searches.map { $0.allowList?.count ?? 0 } == row.pieces)
        #expect(searches.allSatisfy { $0.options == ["up": false] && $0.relyingPartyID == "example.org" })
        // No answer to the real challenge may exist before a touch.
        #expect(searches.allSatisfy { $0.clientDataHash == [UInt8](repeating: 0, count: 32) })
        #expect(await device.makeCredentials.first?.excludeList == nil)
    }

    @Test func aListIsSplitByTheMessageSizeToo() async throws {
        let device = FakeAuthenticator([:]) { $0.maxCredentialCountInList = 100 }
        let long = (0..<10).map { [UInt8](repeating: UInt8($0), count: 200) }
        _ = try await client(device).create(.test(exclude: long), origin: .test())
        #expect(await device.assertions.map { $0.allowList?.count ?? 0 } == [3, 3, 3, 1])
        #expect(await device.assertions.allSatisfy { $0.encodedLength <= 1024 })
    }

    @Test func aPartThatIsTooLongForTheDeviceIsHalved() async throws {
        let device = FakeAuthenticator([:]) { $0.maxCredentialCountInList = 4 }
        await device.configure { $0.refusals[.getAssertion] = [.limitExceeded, .requestTooLarge] }
        await device.add([1, 3])
        let response = try await client(device).get(.test(allow: ids(4)), origin: .test())
        #expect(response.rawId.bytes == [1, 3])
        #expect(await device.assertions.map { $0.allowList?.count ?? 0 } == [4, 2, 1, 1, 2, 1])
    }

    @Test func impossibleIDsAndUnknownTypesAreSkipped() async throws {
        let device = FakeAuthenticator([:]) {
            $0.maxCredentialCountInList = 8
            $0.maxCredentialIdLength = 4
        }
        var options = CreationOptions.test(exclude: [[1], [1, 2, 3, 4, 5], [1, 2, 3, 4]])
        options.excludeCredentials?.append(.init(type: "telepathy", id: [9]))
        _ = try await client(device).create(options, origin: .test())
        #expect(await device.assertions.first?.allowList?.map(\.id) == [[1], [1, 2, 3, 4]])
    }

    @Test func anExcludedCredentialIsSentAloneAndIsAnInvalidState() async throws {
        let device = FakeAuthenticator([:]) { $0.maxCredentialCountInList = 2 }
        await device.add([1, 3])
        let client = client(device)
        let origin = try Origin.test()
        let error = await failure { () async throws(WebAuthnClientError) in
            try await client.create(.test(exclude: [[1, 0], [1, 1], [1, 2], [1, 3], [1, 4]]), origin: origin)
        }
        #expect(error?.domException == .invalidStateError)
        #expect(error?.ctapStatus == .credentialExcluded)
        #expect(await device.makeCredentials.first?.excludeList?.map(\.id) == [[1, 3]])
        // The part after the match is not searched.
        #expect(await device.assertions.count == 2)
    }

    @Test func theTokenOfACreateWithAnExcludeListMaySearchToo() async throws {
        let device = FakeAuthenticator(UserVerificationTests.pin, pin: "1234")
        let client = client(device, environment(User(pins: ["1234"])))
        _ = try await client.create(.test(exclude: [[9]]), origin: .test())
        #expect(await device.story == ["pin 3 example.org", "get !up param2", "make param2"])
    }

    @Test func anAllowedCredentialIsUsedEvenWhenTheAnswerDoesNotNameIt() async throws {
        let device = FakeAuthenticator([:]) { $0.maxCredentialCountInList = 2 }
        await device.add([1, 2])
        let response = try await client(device).get(.test(allow: ids(5)), origin: .test())
        #expect(response.rawId.bytes == [1, 2])
        #expect(await device.story == ["get !up", "get !up", "get"])
        #expect(await device.assertions.last?.allowList?.map(\.id) == [[1, 2]])
    }

    @Test(arguments: [(["FIDO_2_0"], ["get !up"]), (["FIDO_2_0", "FIDO_2_1"], ["get !up", "touch"])])
    func aMissingAllowedCredentialIsNotAllowedAfterATouch(_ row: (versions: [String], story: [String])) async throws {
        let device = FakeAuthenticator([:]) { $0.versions = row.versions }
        await device.add([7])
        let client = client(device)
        let origin = try Origin.test()
        let error = await failure { () async throws(WebAuthnClientError) in
            try await client.get(.test(allow: [[1]]), origin: origin)
        }
        #expect(error?.domException == .notAllowedError)
        #expect(error?.reason == .noCredential)
        #expect(await device.story == row.story)
    }

    @Test func aListWithoutUsableEntriesIsNotARequestForAnyCredential() async throws {
        let device = FakeAuthenticator([:]) { $0.maxCredentialIdLength = 1 }
        await device.add([7])
        let client = client(device)
        let origin = try Origin.test()
        let error = await failure { () async throws(WebAuthnClientError) in
            try await client.get(.test(allow: [[1, 2]]), origin: origin)
        }
        #expect(error?.reason == .noCredential)
        #expect(await device.assertions.isEmpty)
    }

    @Test func aSensorThatVerifiesInTheRequestIsNotSearchedSilentlyFirst() async throws {
        let device = FakeAuthenticator(["uv": true]) { $0.maxCredentialCountInList = 4 }
        await device.add([1, 0])
        _ = try await client(device).get(.test(userVerification: .required, allow: ids(2)), origin: .test())
        #expect(await device.story == ["get uv"])
    }
}

extension GetAssertionRequest {
    fileprivate var encodedLength: Int { CBOR.encode(cbor).count + 1 }
}
