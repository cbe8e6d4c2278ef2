public import Foundation
internal import WebAuthn

/// The shape of `ASAuthorizationPublicKeyCredentialPRFAssertionInput` (iOS 18): the inputs of a pseudo-random function.
///
/// As in WebAuthn L3 §10.1.4, the system hashes the inputs before the passkey gets them.
public struct SimulatedASAuthorizationPublicKeyCredentialPRFAssertionInput: Hashable, Sendable {
    /// One or two inputs, of any length.
    public struct InputValues: Hashable, Sendable {
        /// The first input.
        public let saltInput1: Data
        /// The second input, if any.
        public let saltInput2: Data?

        /// One or two inputs.
        public init(saltInput1: Data, saltInput2: Data? = nil) {
            (self.saltInput1, self.saltInput2) = (saltInput1, saltInput2)
        }

        /// One or two inputs.
        public static func saltInput1(_ saltInput1: Data, saltInput2: Data? = nil) -> Self {
            Self(saltInput1: saltInput1, saltInput2: saltInput2)
        }

        var values: PRFValues { PRFValues(first: saltInput1.bytes, second: saltInput2?.bytes) }
    }

    /// The inputs for any passkey.
    public let inputValues: InputValues?
    /// The inputs by credential ID, with precedence over ``inputValues``; the request must allow these credentials.
    public let perCredentialInputValues: [Data: InputValues]?

    /// Inputs for any passkey, and for some by credential ID.
    public static func inputValues(
        _ inputValues: InputValues, perCredentialInputValues: [Data: InputValues]? = nil
    ) -> Self {
        Self(inputValues: inputValues, perCredentialInputValues: perCredentialInputValues)
    }

    /// Inputs for some passkeys by credential ID.
    public static func perCredentialInputValues(_ values: [Data: InputValues]) -> Self {
        Self(inputValues: nil, perCredentialInputValues: values)
    }

    var inputs: PRFInputs {
        var named: [String: PRFValues] = [:]
        for (id, values) in perCredentialInputValues ?? [:] { named[Base64URL.encode(id.bytes)] = values.values }
        return PRFInputs(eval: inputValues?.values, evalByCredential: named.isEmpty ? nil : named)
    }
}

/// The shape of `ASAuthorizationPublicKeyCredentialPRFRegistrationInput` (iOS 18).
public struct SimulatedASAuthorizationPublicKeyCredentialPRFRegistrationInput: Hashable, Sendable {
    /// Whether the app only checks for support.
    public var shouldCheckForSupport: Bool { inputValues == nil }
    /// The inputs with which the new passkey's function is evaluated; nil for none.
    public let inputValues: SimulatedASAuthorizationPublicKeyCredentialPRFAssertionInput.InputValues?

    /// Checks whether the new passkey has the function.
    public static let checkForSupport = Self(inputValues: nil)

    /// Evaluates the new passkey's function.
    public static func inputValues(
        _ inputValues: SimulatedASAuthorizationPublicKeyCredentialPRFAssertionInput.InputValues
    ) -> Self {
        Self(inputValues: inputValues)
    }

    var inputs: PRFInputs { PRFInputs(eval: inputValues?.values) }
}
