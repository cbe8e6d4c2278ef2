internal import Crypto
internal import Foundation

/// The personal data that the app keeps: encrypted with a key that only the sensor's item holds.
///
/// A match opens the item, and its key decrypts them, also without a network (I2). They end with the item.
extension ReferenceApp {
    /// A new key for the sensor's item; it ends the data of an earlier one.
    mutating func newDetailsKey() -> String {
        keep { $0.sealedDetails = nil }
        return Data(random(32)).base64EncodedString()
    }

    mutating func seal(_ details: [String]) {
        guard preferences.hasBiometrics, let key = session?.detailsKey.flatMap(Self.key),
            let nonce = try? AES.GCM.Nonce(data: random(12)), let plain = try? JSONEncoder().encode(details),
            let sealed = try? AES.GCM.seal(plain, using: key, nonce: nonce).combined
        else { return }
        keep { $0.sealedDetails = sealed.base64EncodedString() }
    }

    /// The kept data, opened with the key of the item that a match has read; nil without data, or with another key.
    func openedDetails(_ stored: AppSession) -> [String]? {
        guard let key = stored.detailsKey.flatMap(Self.key),
            let sealed = preferences.sealedDetails.flatMap({ Data(base64Encoded: $0) }),
            let box = try? AES.GCM.SealedBox(combined: sealed), let plain = try? AES.GCM.open(box, using: key)
        else { return nil }
        return try? JSONDecoder().decode([String].self, from: plain)
    }

    /// Deletes the item that the sensor guards, and the data that its key encrypts.
    mutating func endBiometricSession() {
        perform(.delete(.biometricSession))
        keep { $0.sealedDetails = nil }
    }

    private static func key(_ text: String) -> SymmetricKey? {
        Data(base64Encoded: text).flatMap { $0.count == 32 ? SymmetricKey(data: $0) : nil }
    }
}
