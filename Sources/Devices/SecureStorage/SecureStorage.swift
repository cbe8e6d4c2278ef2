public import Biometrics
internal import Synchronization
public import VirtualAuthenticator

/// The place an app keeps its secrets in, behind the device's gate: iOS's Keychain, Android's Keystore.
public final class SecureStorage: Sendable {
    /// What an item is bound to.
    public enum Access: String, Sendable, CaseIterable {
        /// The people enrolled now (`biometryCurrentSet`; Android's default for per-use keys).
        case currentSet = "current-set"
        /// Whoever is enrolled when it is read (`biometryAny`).
        case anyBiometry = "any-biometry"
    }

    /// What came of reading an item.
    public enum Reading: Hashable, Sendable {
        /// The person was verified and the secret handed over.
        case value([UInt8])
        /// There is no such item.
        case missing
        /// The set of enrolled people changed; the item is gone for good.
        case invalidated
        /// The gate did not open.
        case refused(UserVerificationResult)
        /// The app withdrew its question.
        case withdrawn

        /// The cause, as ``OutcomeFaces`` names it; nil when the secret was handed over.
        public var cause: String? {
            switch self {
            case .value: nil
            case .missing: "itemMissing"
            case .invalidated: "keyInvalidated"
            case .refused(let result): result.label
            case .withdrawn: "appCancelled"
            }
        }
    }

    private struct Item {
        let secret: [UInt8]
        let access: Access
        let bindingGeneration: UInt64
    }

    private let authenticator: VirtualAuthenticator
    private let items = Mutex<[String: Item]>([:])

    init(authenticator: VirtualAuthenticator) {
        self.authenticator = authenticator
    }

    /// Keeps a secret under a name, in place of what was there.
    ///
    /// - Throws: ``GateRefusal/notEnrolled`` or another reason why nothing can be bound to the sensor now.
    public func store(_ secret: [UInt8], as name: String, access: Access) async throws(GateRefusal) {
        guard let sensor = await authenticator.snapshot().gate?.sensor, sensor.availability != .absent else {
            throw .sensorAbsent
        }
        guard !sensor.templates.isEmpty else { throw .notEnrolled }
        items.withLock {
            $0[name] = Item(secret: secret, access: access, bindingGeneration: sensor.bindingGeneration)
        }
    }

    /// Reads a secret, which asks the person to verify with the sensor.
    ///
    /// An item whose enrolment has changed is gone without a prompt, as on both platforms.
    public func read(_ name: String) async -> Reading {
        guard let item = items.withLock({ $0[name] }) else { return .missing }
        guard await isAlive(item) else {
            remove(name)
            return .invalidated
        }
        switch await authenticator.verifyUser(PromptOptions(allowsDeviceCredential: false)) {
        case nil: return .withdrawn
        case .verified: return .value(item.secret)
        case let result?: return .refused(result)
        }
    }

    /// Deletes an item.
    public func remove(_ name: String) {
        items.withLock { $0[name] = nil }
    }

    /// The names of the items there are.
    public var names: [String] { items.withLock { $0.keys.sorted() } }

    /// Whether the keys of the item still exist; a sensor that is unplugged or empty only keeps them closed.
    private func isAlive(_ item: Item) async -> Bool {
        guard item.access == .currentSet else { return true }
        return await authenticator.snapshot().gate?.sensor?.bindingGeneration == item.bindingGeneration
    }
}
