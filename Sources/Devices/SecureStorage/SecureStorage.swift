internal import Biometrics
internal import Synchronization
public import VirtualAuthenticator

/// The place an app keeps its secrets in, behind the device's gate: iOS's Keychain, Android's Keystore.
public final class SecureStorage: Sendable {
    /// What an item is bound to.
    public enum Access: String, Sendable, CaseIterable, Codable {
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

        /// The cause, as ``FaceTable`` names it; nil when the secret was handed over.
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

    private let authenticator: VirtualAuthenticator
    private let storage: (any SecretStorage)?
    private let items: Mutex<[String: SecretItem]>
    private let record: @Sendable (AuthenticatorEvent.Kind) -> Void

    init(
        authenticator: VirtualAuthenticator, storage: (any SecretStorage)? = nil, items: [String: SecretItem] = [:],
        record: @escaping @Sendable (AuthenticatorEvent.Kind) -> Void
    ) {
        self.authenticator = authenticator
        self.storage = storage
        self.items = Mutex(items)
        self.record = record
    }

    /// Keeps a secret under a name, in place of what was there.
    ///
    /// - Throws: ``GateRefusal/notEnrolled`` or another reason why nothing can be bound to the sensor now; or what the
    ///   device's storage threw, and then nothing changed.
    public func store(_ secret: [UInt8], as name: String, access: Access) async throws {
        guard let sensor = await authenticator.snapshot().gate?.sensor, sensor.availability != .absent else {
            throw GateRefusal.sensorAbsent
        }
        guard !sensor.templates.isEmpty else { throw GateRefusal.notEnrolled }
        let item = SecretItem(secret: secret, access: access, bindingGeneration: sensor.bindingGeneration)
        try items.withLock { items in
            try storage?.commit(secret: item.encoded(), as: name)
            items[name] = item
        }
    }

    /// Reads a secret, which asks the person to verify with the sensor.
    ///
    /// An item whose enrolment has changed is gone without a prompt, as on both platforms.
    public func read(_ name: String) async -> Reading {
        let reading = await attemptToRead(name)
        record(.secretRead(name: name, cause: reading.cause))
        return reading
    }

    private func attemptToRead(_ name: String) async -> Reading {
        guard let item = items.withLock({ $0[name] }) else { return .missing }
        guard await isAlive(item) else {
            // Storage that fails to forget it keeps what can never be read again.
            try? remove(name)
            return .invalidated
        }
        switch await authenticator.verifyUser(PromptOptions(allowsDeviceCredential: false)) {
        case nil: return .withdrawn
        case .verified: return .value(item.secret)
        case let result?: return .refused(result)
        }
    }

    /// Deletes an item.
    ///
    /// - Throws: what the device's storage threw, and then the item is still there.
    public func remove(_ name: String) throws {
        try items.withLock { items in
            guard items[name] != nil else { return }
            try storage?.commit(secret: nil, as: name)
            items[name] = nil
        }
    }

    /// The names of the items there are.
    public var names: [String] { items.withLock { $0.keys.sorted() } }

    /// Whether the keys of the item still exist; a sensor that is unplugged or empty only keeps them closed.
    private func isAlive(_ item: SecretItem) async -> Bool {
        guard item.access == .currentSet else { return true }
        return await authenticator.snapshot().gate?.sensor?.bindingGeneration == item.bindingGeneration
    }

    /// Every item, encoded: for snapshots.
    func export() throws -> [String: [UInt8]] {
        try items.withLock { items in try items.mapValues { try $0.encoded() } }
    }

    /// Keeps these items in place of all there were.
    func replaceAll(_ items: [String: SecretItem]) throws {
        try self.items.withLock { current in
            try storage?.replaceSecrets(items.mapValues { try $0.encoded() })
            current = items
        }
    }
}
