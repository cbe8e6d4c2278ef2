import CBOR
import CTAP
import Testing
import VirtualAuthenticator
import WebAuthn

@testable import WebAuthnClient

/// largeBlob as a page sees it (WebAuthn L3 §10.1.5).
struct LargeBlobTests {
    private static let required = ClientExtensionInputs(largeBlob: LargeBlobInputs(support: .required))
    private static let read = ClientExtensionInputs(largeBlob: LargeBlobInputs(read: true))

    private static func write(_ blob: [UInt8]) -> ClientExtensionInputs {
        ClientExtensionInputs(largeBlob: LargeBlobInputs(write: blob))
    }

    /// Bytes that do not compress.
    private static func noise(_ count: Int) -> [UInt8] { SeededRandomSource(seed: 3).bytes(count) }

    private static func withoutLargeBlobs(_ configuration: inout AuthenticatorConfiguration) {
        configuration.extensions.removeAll { $0 == .largeBlobKey || $0 == .largeBlob }
        configuration.largeBlobCapacity = nil
    }

    // MARK: Refused inputs

    @Test(arguments: [LargeBlobInputs(read: false), LargeBlobInputs(support: .preferred, write: [])])
    func createRefusesToReadAndWrite(_ inputs: LargeBlobInputs) async throws {
        let bench = try await VirtualBench()
        let error = await failure { () async throws(WebAuthnClientError) in
            try await bench.create(ClientExtensionInputs(largeBlob: inputs))
        }
        #expect(error?.domException == .notSupportedError)
        #expect(error?.reason == .largeBlobInputs)
        #expect(bench.touches.presencePrompts == 0)
    }

    @Test(
        arguments: [
            (LargeBlobInputs(support: .preferred), [[1]]), (LargeBlobInputs(support: .required, read: true), [[1]]),
            (LargeBlobInputs(read: true, write: [1]), [[1]]), (LargeBlobInputs(read: false, write: [1]), [[1]]),
            (LargeBlobInputs(write: [1]), nil), (LargeBlobInputs(write: [1]), []),
            (LargeBlobInputs(write: [1]), [[1], [2]]),
        ] as [(LargeBlobInputs, [[UInt8]]?)])
    func getReadsOrWritesTheBlobOfOneCredential(_ row: (inputs: LargeBlobInputs, allow: [[UInt8]]?)) async throws {
        let bench = try await VirtualBench()
        let error = await failure { () async throws(WebAuthnClientError) in
            try await bench.get(ClientExtensionInputs(largeBlob: row.inputs), allow: row.allow)
        }
        #expect(error?.domException == .notSupportedError)
        #expect(error?.reason == .largeBlobInputs)
        #expect(bench.touches.presencePrompts == 0)
    }

    // MARK: Support

    @Test(
        arguments: [
            (.required, .required, true), (.preferred, .required, true), (nil, .preferred, true),
            (.preferred, .discouraged, false), (nil, .discouraged, false),
        ] as [(LargeBlobSupport?, ResidentKeyRequirement, Bool)])
    func discoverableCredentialsHaveRoomForABlob(
        _ row: (support: LargeBlobSupport?, residentKey: ResidentKeyRequirement, supported: Bool)
    ) async throws {
        let bench = try await VirtualBench()
        let extensions = ClientExtensionInputs(largeBlob: LargeBlobInputs(support: row.support))
        let response = try await bench.create(extensions, residentKey: row.residentKey)
        #expect(response.clientExtensionResults.largeBlob == LargeBlobOutputs(supported: row.supported))
    }

    @Test func aDeviceWithoutLargeBlobsIsSkippedWhereTheyAreRequired() async throws {
        let bench = try await VirtualBench(Self.withoutLargeBlobs)
        let error = await failure { () async throws(WebAuthnClientError) in try await bench.create(Self.required) }
        #expect(error?.domException == .notAllowedError)
        #expect(error?.reason == .largeBlobUnsupported)
        #expect(bench.touches.presencePrompts == 0)
        let response = try await bench.create(ClientExtensionInputs(largeBlob: LargeBlobInputs(support: .preferred)))
        #expect(response.clientExtensionResults.largeBlob == LargeBlobOutputs(supported: false))
    }

    @Test func aRequiredBlobNeedsADiscoverableCredential() async throws {
        let bench = try await VirtualBench()
        let error = await failure { () async throws(WebAuthnClientError) in
            try await bench.create(Self.required, residentKey: .discouraged)
        }
        #expect(error?.domException == .notAllowedError)
        #expect(error?.reason == .largeBlobUnsupported)
    }

    // MARK: Blobs stored with their credentials

    private static func asOnPhones(_ configuration: inout AuthenticatorConfiguration) {
        withoutLargeBlobs(&configuration)
        configuration.extensions.append(.largeBlob)
    }

    @Test func aPhoneKeepsTheBlobWithTheCredential() async throws {
        let bench = try await VirtualBench(pin: false, finger: true, Self.asOnPhones)
        let created = try await bench.create(Self.required)
        #expect(created.clientExtensionResults.largeBlob == LargeBlobOutputs(supported: true))
        let other = try await bench.create(Self.required, user: [2])
        let empty = try await bench.get(Self.read, allow: [created.credentialID])
        #expect(empty.clientExtensionResults.largeBlob == LargeBlobOutputs())
        let blob = [UInt8](repeating: 0x41, count: 10_000)
        let written = try await bench.get(Self.write(blob), allow: [created.credentialID])
        #expect(written.clientExtensionResults.largeBlob == LargeBlobOutputs(written: true))
        let read = try await bench.get(Self.read, allow: [created.credentialID])
        #expect(read.clientExtensionResults.largeBlob == LargeBlobOutputs(blob: blob))
        let elsewhere = try await bench.get(Self.read, allow: [other.credentialID])
        #expect(elsewhere.clientExtensionResults.largeBlob == LargeBlobOutputs())
        // A blob beyond the capacity leaves the old one.
        let long = try await bench.get(Self.write(Self.noise(6000)), allow: [created.credentialID])
        #expect(long.clientExtensionResults.largeBlob == LargeBlobOutputs(written: false))
        let again = try await bench.get(Self.read, allow: [created.credentialID])
        #expect(again.clientExtensionResults.largeBlob == LargeBlobOutputs(blob: blob))
    }

    @Test func aBlobStoredWithACredentialIsUnsignedAndOutlivesAPowerCut() async throws {
        let bench = try await VirtualBench(pin: false, finger: true, Self.asOnPhones)
        let created = try await bench.create(Self.required)
        _ = try await bench.get(Self.write([1, 2, 3]), allow: [created.credentialID])
        try await bench.device.restore(try await bench.device.exportState())
        let read = try await bench.get(Self.read, allow: [created.credentialID])
        #expect(read.clientExtensionResults.largeBlob == LargeBlobOutputs(blob: [1, 2, 3]))
        let data = try AuthenticatorData(parsing: read.response.authenticatorData.bytes)
        #expect(data.extensions == nil)
    }

    @Test(
        "A largeBlob input with no operation or with two is refused",
        arguments: [
            (["read": false], 0x2C), (["read": true, "write": .bytes([1]), "originalSize": 1], 0x2C),
            (["write": .bytes([1])], 0x14), (true, 0x11), (["write": 1, "originalSize": 1], 0x11),
        ] as [(CBOR.Value, UInt8)])
    func strangeInputsAreRefused(input: CBOR.Value, status: UInt8) async throws {
        let bench = try await VirtualBench(pin: false, Self.asOnPhones)
        let created = try await bench.create(Self.required, userVerification: .discouraged)
        var request = GetAssertionRequest(
            relyingPartyID: VirtualBench.relyingPartyID, clientDataHash: [UInt8](repeating: 0, count: 32))
        request.allowList = [PublicKeyCredentialDescriptor(id: created.credentialID)]
        request.extensions = ["largeBlob": input]
        let answer = await bench.device.transceive(
            [CTAPCommand.getAssertion.rawValue] + CBOR.encode(request.cbor), onKeepalive: { _ in })
        #expect(answer == [status])
    }

    // MARK: Reading and writing

    @Test("a blob is read unchanged", arguments: PINUVAuthProtocol.allCases, [true, false])
    func roundTrip(_ pinProtocol: PINUVAuthProtocol, finger: Bool) async throws {
        // The message size makes fragments of 436 bytes.
        let bench = try await VirtualBench(pin: !finger, finger: finger) {
            $0.pinUvAuthProtocols = [pinProtocol, .two]
            $0.maxMsgSize = 500
        }
        let ids = [
            try await bench.create(Self.required).credentialID,
            try await bench.create(Self.required, user: [2]).credentialID,
        ]
        let blobs = [Self.noise(1500), [UInt8](repeating: 0x41, count: 100_000)]
        for (id, blob) in zip(ids, blobs) {
            let response = try await bench.get(Self.write(blob), allow: [id], userVerification: .discouraged)
            #expect(response.clientExtensionResults.largeBlob == LargeBlobOutputs(written: true))
        }
        for (id, blob) in zip(ids, blobs) {
            let response = try await bench.get(Self.read, allow: [id], userVerification: .discouraged)
            #expect(response.clientExtensionResults.largeBlob == LargeBlobOutputs(blob: blob))
        }
        for blob in [[1, 2, 3], []] as [[UInt8]] {
            _ = try await bench.get(Self.write(blob), allow: [ids[0]])
            let response = try await bench.get(Self.read, allow: [ids[0]])
            #expect(response.clientExtensionResults.largeBlob?.blob?.bytes == blob)
        }
        let other = try await bench.get(Self.read, allow: [ids[1]])
        #expect(other.clientExtensionResults.largeBlob?.blob?.bytes == blobs[1])
    }

    @Test func aDeviceWithoutUserVerificationIsWrittenWithoutAToken() async throws {
        let bench = try await VirtualBench(pin: false)
        let id = try await bench.create(Self.required, userVerification: .discouraged).credentialID
        let written = try await bench.get(Self.write([7]), allow: [id], userVerification: .discouraged)
        #expect(written.clientExtensionResults.largeBlob == LargeBlobOutputs(written: true))
        let response = try await bench.get(Self.read, userVerification: .discouraged)
        #expect(response.clientExtensionResults.largeBlob == LargeBlobOutputs(blob: [7]))
    }

    @Test func anUnreadableBlobIsLeftOut() async throws {
        let bench = try await VirtualBench()
        _ = try await bench.create(Self.required)
        let empty = try await bench.get(Self.read)
        #expect(empty.clientExtensionResults.largeBlob == LargeBlobOutputs())
        let unasked = try await bench.get(ClientExtensionInputs(largeBlob: LargeBlobInputs(read: false)))
        #expect(unasked.clientExtensionResults.largeBlob == nil)
        let old = try await VirtualBench(Self.withoutLargeBlobs)
        _ = try await old.create()
        #expect(try await old.get(Self.read).clientExtensionResults.largeBlob == LargeBlobOutputs())
    }

    @Test func aBlobThatDoesNotFitIsNotWrittenAndTheOldOneStays() async throws {
        let bench = try await VirtualBench()
        let id = try await bench.create(Self.required).credentialID
        _ = try await bench.get(Self.write([1]), allow: [id])
        let response = try await bench.get(Self.write(Self.noise(5000)), allow: [id])
        #expect(response.clientExtensionResults.largeBlob == LargeBlobOutputs(written: false))
        #expect(try await bench.get(Self.read).clientExtensionResults.largeBlob?.blob?.bytes == [1])
    }

    @Test func aCredentialWithoutAKeyHasNoBlobWritten() async throws {
        let bench = try await VirtualBench()
        let id = try await bench.create(residentKey: .discouraged).credentialID
        let response = try await bench.get(Self.write([1]), allow: [id])
        #expect(response.clientExtensionResults.largeBlob == LargeBlobOutputs(written: false))
        let old = try await VirtualBench(Self.withoutLargeBlobs)
        let oldID = try await old.create().credentialID
        let refused = try await old.get(Self.write([1]), allow: [oldID])
        #expect(refused.clientExtensionResults.largeBlob == LargeBlobOutputs(written: false))
    }

    /// A device that takes ten minutes for large blobs, or disconnects at that request.
    private struct Laggard: CTAPDevice {
        let device: VirtualAuthenticator
        let clock: Clock
        let isGone: Bool

        func transceive(
            _ message: [UInt8], onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void
        ) async throws(CTAPDeviceError) -> [UInt8] {
            guard message.first == 0x0C else { return await device.transceive(message, onKeepalive: onKeepalive) }
            if isGone { throw .disconnected("pulled out") }
            clock.advance(by: .seconds(600))
            return await device.transceive(message, onKeepalive: onKeepalive)
        }
    }

    @Test(arguments: [true, false])
    func aLostDeviceFailsTheBlobAndASlowDeviceTheCall(_ isGone: Bool) async throws {
        let bench = try await VirtualBench(pin: false)
        _ = try await bench.create(Self.required, userVerification: .discouraged)
        let clock = Clock()
        let client = WebAuthnClient(
            device: Laggard(device: bench.device, clock: clock, isGone: isGone), attachment: .crossPlatform,
            environment: environment(clock: clock))
        var options = RequestOptions.test()
        options.extensions = Self.read
        let result: Result<ClientExtensionResults, WebAuthnClientError>
        do {
            result = .success(try await client.get(options, origin: VirtualBench.origin).clientExtensionResults)
        } catch {
            result = .failure(error)
        }
        switch result {
        case .success(let results):
            #expect(isGone)
            #expect(results.largeBlob == LargeBlobOutputs())
        case .failure(let error):
            #expect(!isGone)
            #expect(error.reason == .clientTimeout)
        }
    }

    @Test func otherEntriesStayUnchanged() async throws {
        let bench = try await VirtualBench(pin: false)
        let id = try await bench.create(Self.required, userVerification: .discouraged).credentialID
        let info = try await bench.ctap.getInfo()
        let blobs = LargeBlobClient(bench.ctap, info: info, randomBytes: SeededRandomSource(seed: 1).bytes)
        let foreign = LargeBlobEntry(
            sealing: [5], key: [UInt8](repeating: 8, count: 32), nonce: [UInt8](repeating: 1, count: 12))
        let others: [CBOR.Value] = [
            try #require(foreign).cbor, "not an entry", [1: "nor this", 9: [1, 2]],
            [1: .bytes([]), 2: .bytes([]), 3: 0],
        ]
        try await blobs.write(others)
        for blob in [[1], [2]] as [[UInt8]] {
            _ = try await bench.get(Self.write(blob), allow: [id], userVerification: .discouraged)
        }
        let items = try await blobs.items()
        #expect(items.count == others.count + 1)
        #expect(Array(items.prefix(others.count)) == others)
    }
}
