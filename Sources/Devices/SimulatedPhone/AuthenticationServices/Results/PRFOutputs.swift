public import Crypto
internal import Foundation
internal import WebAuthn

/// The shape of `ASAuthorizationPublicKeyCredentialPRFRegistrationOutput` (iOS 18).
public struct SimulatedASAuthorizationPublicKeyCredentialPRFRegistrationOutput: Equatable, Sendable {
    /// Whether the new passkey has the function.
    public let isSupported: Bool
    /// The first output; nil unless the function was evaluated.
    public let first: SymmetricKey?
    /// The second output; nil unless there was a second input.
    public let second: SymmetricKey?

    init(_ outputs: PRFOutputs) {
        isSupported = outputs.enabled == true
        first = outputs.results.map { SymmetricKey(data: $0.first.data) }
        second = outputs.results?.second.map { SymmetricKey(data: $0.data) }
    }
}

/// The shape of `ASAuthorizationPublicKeyCredentialPRFAssertionOutput` (iOS 18).
public struct SimulatedASAuthorizationPublicKeyCredentialPRFAssertionOutput: Equatable, Sendable {
    /// The first output.
    public let first: SymmetricKey
    /// The second output; nil unless there was a second input.
    public let second: SymmetricKey?

    init(_ values: PRFValues) {
        first = SymmetricKey(data: values.first.data)
        second = values.second.map { SymmetricKey(data: $0.data) }
    }
}
