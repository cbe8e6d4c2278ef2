public import Foundation
internal import WebAuthn

/// The shape of `ASAuthorizationPublicKeyCredentialLargeBlobRegistrationOutput` (iOS 17).
public struct SimulatedASAuthorizationPublicKeyCredentialLargeBlobRegistrationOutput: Hashable, Sendable {
    /// Whether the new passkey has a large blob.
    public let isSupported: Bool
}

/// The shape of `ASAuthorizationPublicKeyCredentialLargeBlobAssertionOutput` (iOS 17).
public struct SimulatedASAuthorizationPublicKeyCredentialLargeBlobAssertionOutput: Hashable, Sendable {
    /// The result of an operation on the large blob.
    public enum OperationResult: Hashable, Sendable {
        /// The blob; nil for a passkey without a stored blob.
        case read(data: Data?)
        /// Whether the blob was stored.
        case write(success: Bool)
    }

    /// The result of the operation.
    public let result: OperationResult

    init(_ outputs: LargeBlobOutputs) {
        result = outputs.written.map { .write(success: $0) } ?? .read(data: outputs.blob?.data)
    }
}
