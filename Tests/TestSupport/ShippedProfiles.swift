/// The profiles that come with the project, for tests of what holds for every one of them.
public enum ShippedProfiles {
    /// Their names, in order.
    public static let names = [
        "feitian-biopass",
        "feitian-epass",
        "iphone-face-id",
        "iphone-touch-id",
        "nitrokey-3",
        "nitrokey-fido2",
        "opensk",
        "pixel-fingerprint",
        "qubes-ctap-proxy",
        "security-key-bio",
        "security-key-complete",
        "security-key-nfc",
        "security-key-nfc-5.7",
        "security-key-pin",
        "solo-1",
        "solo-1-firmware-2.1.0",
        "solo-2",
        "titan-v2",
        "token2-t2f2-dual",
        "trustkey-t110",
        "yubikey-5-nfc-5.4",
        "yubikey-5-nfc-5.7",
        "yubikey-bio",
        "yubikey-bio-5.7",
    ]
}
