import CTAP
import Testing
import WebAuthn
import WebAuthnClient

/// A device whose connections take one command, such as a phone over hybrid transport: a ceremony sends its request alone.
struct OneCommandTests {
    private struct OneCommandDevice: CTAPDevice {
        let device: FakeAuthenticator
        var takesOneCommand: Bool { true }

        func transceive(
            _ message: [UInt8], onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void
        ) async throws(CTAPDeviceError) -> [UInt8] { try await device.transceive(message, onKeepalive: onKeepalive) }
    }

    private static func client(_ device: FakeAuthenticator) -> WebAuthnClient {
        WebAuthnClient(
            device: OneCommandDevice(device: device).observed { _, _ in }, attachment: .crossPlatform,
            environment: environment())
    }

    private static let list: [[UInt8]] = (0..<20).map { [1, $0] }

    @Test("The whole exclude list goes with the request, though the device promises to take one entry")
    func creates() async throws {
        let device = FakeAuthenticator([:])
        _ = try await Self.client(device).create(.test(exclude: Self.list), origin: .test())
        #expect(await device.log.count == 2)
        #expect(await device.makeCredentials.first?.excludeList?.map(\.id) == Self.list)
    }

    @Test("The whole allow list goes with the request, and nothing follows the answer")
    func signsIn() async throws {
        let device = FakeAuthenticator([:])
        for id in Self.list.suffix(2) { await device.add(id) }
        let response = try await Self.client(device).get(.test(allow: Self.list), origin: .test())
        #expect(await device.log.count == 2)
        #expect(await device.assertions.first?.allowList?.map(\.id) == Self.list)
        #expect(Self.list.suffix(2).contains(response.rawId.bytes))
    }

    @Test("Of several accounts the client takes the one that the device answers with")
    func accounts() async throws {
        let device = FakeAuthenticator([:])
        for id in Self.list.prefix(3) { await device.add(id) }
        _ = try await Self.client(device).get(.test(), origin: .test())
        #expect(await device.log.count == 2)
    }

    @Test("An app ID is not searched for, and a device without the credential is not asked for a touch")
    func appID() async throws {
        let device = FakeAuthenticator([:])
        var options = RequestOptions.test(allow: Self.list)
        options.extensions = ClientExtensionInputs()
        options.extensions?.appid = "https://example.org/appid.json"
        _ = try? await Self.client(device).get(options, origin: .test())
        #expect(await device.log.count == 2)
        #expect(await device.assertions.map(\.relyingPartyID) == ["example.org"])
    }

    @Test("An excluded app ID is not searched for, and the registration goes on")
    func excludedAppID() async throws {
        let device = FakeAuthenticator([:])
        var options = CreationOptions.test(exclude: Self.list)
        options.extensions = ClientExtensionInputs()
        options.extensions?.appidExclude = "https://example.org/appid.json"
        _ = try await Self.client(device).create(options, origin: .test())
        #expect(await device.log.count == 2)
    }
}
