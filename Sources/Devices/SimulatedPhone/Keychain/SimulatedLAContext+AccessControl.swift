internal import SimulatedDevice
internal import Synchronization

#if canImport(LocalAuthentication)
public import LocalAuthentication
#else
internal import Foundation
#endif

extension SimulatedLAContext {
    /// Verifies the user as an access control requires; the context then opens its items without a prompt.
    ///
    /// The creation of an item or a key needs no verification.
    ///
    /// - Returns: true; a failure throws an error.
    /// - Throws: `LAError`; for an empty reason an error of the domain `NSInvalidArgumentException`; ``PhoneRefusal``
    ///   in a state without a running app.
    @discardableResult
    public func evaluateAccessControl(
        _ accessControl: SimulatedSecAccessControl, operation: LAAccessControlOperation, localizedReason: String
    ) async throws -> Bool {
        guard !localizedReason.isEmpty else { throw InvalidArgument.emptyReason }
        let phone = try usablePhone("evaluateAccessControl")
        if operation == .createItem || operation == .createKey { return true }
        try await ask(accessControl.access.prompts.map(prompt(allowing:)), on: phone, localizedReason)
        return true
    }

    /// Verifies the user as an access control requires, and calls the reply on an unspecified thread.
    public func evaluateAccessControl(
        _ accessControl: SimulatedSecAccessControl, operation: LAAccessControlOperation, localizedReason: String,
        reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        Task {
            do {
                let isVerified = try await self.evaluateAccessControl(
                    accessControl, operation: operation, localizedReason: localizedReason)
                reply(isVerified, nil)
            } catch {
                reply(false, error)
            }
        }
    }

    var isInvalid: Bool { settings.withLock { $0.isInvalid } }

    var reuseSeconds: Int { settings.withLock { $0.reuseSeconds } }

    /// The app's password for items; nil for none.
    var password: String? {
        settings.withLock { $0.password.map { String(data: $0, encoding: .utf8) ?? $0.base64EncodedString() } }
    }
}
