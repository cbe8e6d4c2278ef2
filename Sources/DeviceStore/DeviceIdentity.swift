public import Devices
internal import VirtualAuthenticator
internal import WebAuthn

/// What kind of device a state belongs to.
public struct DeviceIdentity: Hashable, Sendable {
    /// The profile's name.
    public var profileName: String
    /// The profile file's text, so that the device can come back where the file is not.
    public var profileText: String
    /// The model, 16 bytes.
    public var aaguid: [UInt8]

    public init(profileName: String, profileText: String, aaguid: [UInt8]) {
        self.profileName = profileName
        self.profileText = profileText
        self.aaguid = aaguid
    }

    /// The identity of every device of a profile.
    public init(_ profile: DeviceProfile) {
        self.init(
            profileName: profile.name, profileText: profile.text, aaguid: profile.authenticator.aaguid.bytes)
    }

    /// Refuses the state of another kind of device; the text may differ, as after an update of the firmware.
    func requireCompatible(_ found: DeviceIdentity, path: String) throws(DeviceStoreError) {
        guard profileName == found.profileName, aaguid == found.aaguid else {
            throw .otherDevice(path: path, expected: self, found: found)
        }
    }
}
