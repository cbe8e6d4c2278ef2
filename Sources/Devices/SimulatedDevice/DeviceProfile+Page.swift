package import DeviceProfiles
internal import PlatformErrors
package import WebAuthnClient

extension DeviceProfile {
    /// The rules of the device's browser: Safari, and every browser on iOS, wants a gesture before a modal request.
    package var pageRules: CredentialPage.Rules {
        CredentialPage.Rules(needsGesture: platform == .ios || platform == .macos)
    }
}
