package import DeviceProfiles
internal import VirtualAuthenticator
internal import WebAuthn

/// The kind of device a state belongs to.
package struct DeviceIdentity: Hashable, Sendable {
    package var profileName: String
    /// The profile file's text, so that the device can be restored without the file.
    package var profileText: String
    /// The model, 16 bytes.
    package var aaguid: [UInt8]

    package init(profileName: String, profileText: String, aaguid: [UInt8]) {
        self.profileName = profileName
        self.profileText = profileText
        self.aaguid = aaguid
    }

    package init(_ profile: DeviceProfile) {
        self.init(profileName: profile.name, profileText: profile.text, aaguid: profile.authenticator.aaguid.bytes)
    }

    /// Whether two devices can use each other's state; the text may differ, as after a firmware update.
    package func isCompatible(with other: DeviceIdentity) -> Bool {
        profileName == other.profileName && aaguid == other.aaguid
    }

    /// Refuses the state of another kind of device.
    func requireCompatible(_ found: DeviceIdentity, path: String) throws(DeviceStoreError) {
        guard isCompatible(with: found) else { throw .otherDevice(path: path, expected: self, found: found) }
    }
}
