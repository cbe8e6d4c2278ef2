public import Foundation
internal import WebAuthn

/// The shape of `ASAuthorizationPublicKeyCredentialLargeBlobRegistrationInput` (iOS 17).
public struct SimulatedASAuthorizationPublicKeyCredentialLargeBlobRegistrationInput: Hashable, Sendable {
    /// Whether a passkey must have a large blob, with Apple's numbers.
    public enum SupportRequirement: Int, Hashable, Sendable {
        /// The registration fails on a device without large blobs.
        case required = 0
        /// The registration also creates a passkey without a large blob.
        case preferred = 1
    }

    /// Whether the passkey must have a large blob.
    public let supportRequirement: SupportRequirement

    /// The registration fails on a device without large blobs.
    public static let supportRequired = Self(supportRequirement: .required)
    /// The registration also creates a passkey without a large blob.
    public static let supportPreferred = Self(supportRequirement: .preferred)

    var inputs: LargeBlobInputs { LargeBlobInputs(support: supportRequirement == .required ? .required : .preferred) }
}

/// The shape of `ASAuthorizationPublicKeyCredentialLargeBlobAssertionInput` (iOS 17).
public struct SimulatedASAuthorizationPublicKeyCredentialLargeBlobAssertionInput: Hashable, Sendable {
    /// An operation on the large blob.
    public enum Operation: Hashable, Sendable {
        /// Returns the blob.
        case read
        /// Stores the blob; the request must allow exactly one credential.
        case write(Data)
    }

    /// The operation.
    public let operation: Operation

    /// Returns the blob.
    public static let read = Self(operation: .read)
    /// Stores the blob; the request must allow exactly one credential.
    public static func write(_ data: Data) -> Self { Self(operation: .write(data)) }

    var inputs: LargeBlobInputs {
        switch operation {
        case .read: LargeBlobInputs(read: true)
        case .write(let data): LargeBlobInputs(write: data.bytes)
        }
    }
}
