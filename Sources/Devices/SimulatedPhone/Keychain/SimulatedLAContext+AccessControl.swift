internal import SimulatedDevice
internal import Synchronization

#if canImport(LocalAuthentication)
public import LocalAuthentication
#else
internal import Foundation
#endif

extension SimulatedLAContext {
    /// Verifies the user as an access control asks for it; the context then opens its items without a prompt.
    ///
    /// Storing an item and making a key ask for no verification.
    ///
    /// - Returns: true; a failure is an error.
    /// - Throws: `LAError`, and for an empty reason an error of the domain `NSInvalidArgumentException`.
    @discardableResult
    public func evaluateAccessControl(
        _ accessControl: SimulatedSecAccessControl, operation: LAAccessControlOperation, localizedReason: String
    ) async throws -> Bool {
        guard !localizedReason.isEmpty else { throw InvalidArgument.emptyReason }
        let phone = try usablePhone()
        if operation == .createItem || operation == .createKey { return true }
        try await ask(accessControl.access.prompts.map(prompt(allowing:)), on: phone, localizedReason)
        return true
    }

    /// Verifies the user as an access control asks for it, and calls the reply in an unspecified place.
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

    /// The app's password for items; nil for none.
    var password: String? {
        settings.withLock { $0.password.map { String(data: $0, encoding: .utf8) ?? $0.base64EncodedString() } }
    }
}
