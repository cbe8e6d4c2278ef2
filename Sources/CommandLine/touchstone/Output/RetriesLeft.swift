import CTAP
import KeyBench
import SecurityKeys
import WebAuthnClient

/// The retries that a key has left.
enum RetriesLeft {
    /// The retries left after a failed verification, in words; nil after another error.
    static func sentence(on device: BenchDevice, after error: any Error) async -> String? {
        let failures: [CTAPStatus] = [.uvInvalid, .uvBlocked, .pinInvalid, .pinAuthBlocked, .pinBlocked]
        let refusal = error as? WebAuthnClientError
        let status = (error as? SecurityKeyError)?.status ?? refusal?.ctapStatus
        // A phone verifies its user itself, and a question would need another connection.
        guard !device.takesOneCommand else { return nil }
        // A wrong PIN that is not entered again ends as a cancellation.
        guard status.map(failures.contains) == true || refusal?.reason == .pinCancelled else { return nil }
        return try? await device.withKey(by: .direct) { key in
            let info = try await key.info()
            var retries: [String] = []
            if info.option(.uv) == true, let left = try? await key.uvRetries() { retries.append("sensor \(left)") }
            if info.option(.clientPin) == true, let left = try? await key.pinRetries() { retries.append("PIN \(left)") }
            return retries.isEmpty ? nil : "Retries left: " + retries.joined(separator: ", ")
        }
    }
}
