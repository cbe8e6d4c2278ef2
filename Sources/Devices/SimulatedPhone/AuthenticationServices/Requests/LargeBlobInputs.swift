public import Foundation
internal import WebAuthn

/// The shape of `ASAuthorizationPublicKeyCredentialLargeBlobRegistrationInput` (iOS 17).
public struct SimulatedASAuthorizationPublicKeyCredentialLargeBlobRegistrationInput: Hashable, Sendable {
    /// How much a passkey needs a large blob, with Apple's numbers.
    public enum SupportRequirement: Int, Hashable, Sendable {
        /// A passkey without a large blob is not made.
        case required = 0
        /// A passkey without a large blob is also made.
        case preferred = 1
    }

    /// How much the passkey needs a large blob.
    public let supportRequirement: SupportRequirement

    /// A passkey without a large blob is not made.
    public static let supportRequired = Self(supportRequirement: .required)
    /// A passkey without a large blob is also made.
    public static let supportPreferred = Self(supportRequirement: .preferred)

    var inputs: LargeBlobInputs { LargeBlobInputs(support: supportRequirement == .required ? .required : .preferred) }
}

/// The shape of `ASAuthorizationPublicKeyCredentialLargeBlobAssertionInput` (iOS 17).
public struct SimulatedASAuthorizationPublicKeyCredentialLargeBlobAssertionInput: Hashable, Sendable {
    /// An access to the large blob.
    public enum Operation: Hashable, Sendable {
        /// The blob is returned.
        case read
        /// The blob is stored; exactly one credential must be allowed.
        case write(Data)
    }

    /// The access.
    public let operation: Operation

    /// The blob is returned.
    public static let read = Self(operation: .read)
    /// The blob is stored; exactly one credential must be allowed.
    public static func write(_ data: Data) -> Self { Self(operation: .write(data)) }

    var inputs: LargeBlobInputs {
        switch operation {
        case .read: LargeBlobInputs(read: true)
        case .write(let data): LargeBlobInputs(write: data.bytes)
        }
    }
}
