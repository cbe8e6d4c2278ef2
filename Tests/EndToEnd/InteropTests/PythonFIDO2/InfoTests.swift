import COSE
import CTAP
import DeviceProfiles
import SimulatedDevice
import TestSupport
import Testing
import VirtualAuthenticator
import WebAuthn

extension Interop {
    /// python-fido2 over UDP: a device's information.
    @Suite struct PythonInfoTests {
        /// getInfo as python-fido2 reads it: an absent member has the specification's default, is 0 or is empty.
        struct Info: Decodable, Equatable {
            let versions: [String]
            let aaguid: String
            let options: [String: Bool]
            let maxMsgSize: Int
            let pinUvAuthProtocols: [Int]
            let maxCredentialCountInList: Int
            let maxCredentialIdLength: Int
            let transports: [String]
            let algorithms: [Int]
            let minPINLength: Int
            let firmwareVersion: Int
            let preferredPlatformUvAttempts: Int
            let uvModality: Int
            let remainingDiscoverableCredentials: Int?
            let attestationFormats: [String]
        }

        @Test(arguments: Ring.sample(try Profiles.filesWithCTAP2(), 8))
        func aProfileReadsTheSameInPython(file: String) async throws {
            try await ServedDevice.with(file) { served in
                let ours = await served.device.authenticator.info()
                let theirs = try await Script.run("info", port: served.port, as: Info.self)
                #expect(
                    theirs
                        == Info(
                            versions: ours.versions, aaguid: "\(ours.aaguid)", options: ours.options ?? [:],
                            maxMsgSize: ours.maxMsgSize ?? 1024, pinUvAuthProtocols: ours.pinUvAuthProtocols ?? [],
                            maxCredentialCountInList: ours.maxCredentialCountInList ?? 0,
                            maxCredentialIdLength: ours.maxCredentialIdLength ?? 0,
                            transports: (ours.transports ?? []).map(\.rawValue),
                            algorithms: ours.algorithms?.map(\.algorithm.rawValue) ?? [],
                            minPINLength: ours.minPINLength ?? 4, firmwareVersion: ours.firmwareVersion ?? 0,
                            preferredPlatformUvAttempts: ours.preferredPlatformUvAttempts ?? 0,
                            uvModality: ours.uvModality ?? 0,
                            remainingDiscoverableCredentials: ours.remainingDiscoverableCredentials,
                            attestationFormats: ours.attestationFormats ?? ["packed"]))
            }
        }
    }
}
