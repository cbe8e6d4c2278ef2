internal import CTAP
internal import Causes
internal import DeviceProfiles
internal import PlatformErrors
internal import ReferenceApp
internal import SimulatedDevice
internal import WebAuthn
internal import WebAuthnClient

/// The passkey requests of the app, which the platform allows to the apps that the domain names.
extension AppHost {
    func createPasskey(_ options: String) async -> PasskeyAnswer {
        guard await isNamed(for: .passkeys) else { return .refused }
        do {
            let response = try await client.create(json: Array(options.utf8), origin: origin)
            return .response(String(decoding: response, as: UTF8.self))
        } catch {
            return answer(error, .create)
        }
    }

    func getPasskey(_ options: String) async -> PasskeyAnswer {
        guard await isNamed(for: .passkeys) else { return .refused }
        do {
            let response = try await client.get(json: Array(options.utf8), origin: origin)
            return .response(String(decoding: response, as: UTF8.self))
        } catch {
            return answer(error, .get)
        }
    }

    /// Whether the device has a passkey of the site to suggest.
    func hasPasskey() async -> Bool {
        guard let relyingPartyID = try? origin.relyingPartyID(claiming: nil) else { return false }
        return await device.hasPasskey(of: relyingPartyID)
    }

    func signalUnknownPasskey(_ id: String) async {
        guard let id = Base64URL.decode(id), let relyingPartyID = try? origin.relyingPartyID(claiming: nil) else {
            return
        }
        await device.take(.unknownCredential(id: id), of: relyingPartyID)
    }

    /// Android tells a missing passkey from a cancellation; Apple's platforms report both as cancelled.
    private func answer(_ error: WebAuthnClientError, _ operation: PlatformOperation) -> PasskeyAnswer {
        note(.passkey(error, operation))
        guard error.domException == .notAllowedError else { return .refused }
        let isMissing = error.reason == .noCredential || error.ctapStatus == .noCredentials
        return isMissing && device.profile.platform == .android ? .noCredential : .userCanceled
    }
}
