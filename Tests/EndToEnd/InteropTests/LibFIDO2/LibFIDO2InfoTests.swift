import CFIDO2
import COSE
import CTAP
import DeviceProfiles
import SecurityKeys
import SimulatedDevice
import Testing
import VirtualAuthenticator
import WebAuthn

extension Interop {
    /// libfido2 in this process: the information it reads when it opens a device.
    @Suite struct LibFIDO2InfoTests {
        @Test(arguments: try Profiles.filesWithCTAP2())
        func everyProfileReadsTheSameInLibFIDO2(file: String) async throws {
            try await LibFIDO2Bench.with(file) { bench in
                let ours = await bench.device.authenticator.info()
                let theirs = try await bench.key.info()
                #expect(theirs.versions == ours.versions)
                #expect(theirs.options == ours.options ?? [:])
                #expect(theirs.transports == (ours.transports ?? []).map(\.rawValue))
                #expect(theirs.aaguid == ours.aaguid.bytes)
                #expect(theirs.protocols.map { Int($0) } == ours.pinUvAuthProtocols ?? [])
                #expect(theirs.algorithms.map { Int($0) } == ours.algorithms?.map(\.algorithm.rawValue) ?? [])
                #expect(Int(theirs.maxMsgSize) == ours.maxMsgSize)
                #expect(Int(theirs.maxCredentialCountInList) == ours.maxCredentialCountInList ?? 0)
                #expect(Int(theirs.maxCredentialIDLength) == ours.maxCredentialIdLength ?? 0)
                #expect(Int(theirs.minPINLength) == ours.minPINLength ?? 0)
                #expect(Int(theirs.firmwareVersion) == ours.firmwareVersion ?? 0)
                #expect(Int(theirs.uvAttempts) == ours.preferredPlatformUvAttempts ?? 0)
                #expect(Int(theirs.uvModality) == ours.uvModality ?? 0)
                #expect(Int(theirs.remainingDiscoverableCredentials) == ours.remainingDiscoverableCredentials ?? -1)

                #expect(await bench.key.isFIDO2)
                #expect(await bench.key.hasPIN == (ours.option("clientPin") == true))
                #expect(await bench.key.hasUV == (ours.option("uv") == true))
                #expect(await bench.key.supportsPermissions == (ours.option("pinUvAuthToken") == true))
                let expected = FIDO_CAP_CBOR | FIDO_CAP_WINK | FIDO_CAP_NMSG
                #expect(await Int32(bench.key.capabilities) == expected)
            }
        }
    }
}
