// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import COSE
public import Foundation
internal import PlatformErrors
internal import SimulatedDevice

#if canImport(Security)
public import Security
#endif

/// The shape of `SecKeyCreateRandomKey`: creates a key in the simulated Secure Enclave of the phone in use.
///
/// - Parameters:
///   - parameters: `kSecAttrTokenIDSecureEnclave`, P-256, and the attributes of the private key.
///   - error: receives the `OSStatus` of the Keychain as an error of `NSOSStatusErrorDomain`.
/// - Returns: nil for parameters that the simulation does not have, and if the phone lacks the sensor or passcode that
///   protects the key.
public func SimulatedSecKeyCreateRandomKey(
    _ parameters: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SimulatedSecKey? {
    SimulatedKeychain().createRandomKey(parameters, error)
}

extension SimulatedKeychain {
    /// Creates a key in the simulated Secure Enclave, as `SecKeyCreateRandomKey` does.
    ///
    /// The key belongs to this Keychain's phone and app, and signs on every queue.
    ///
    /// - Parameters:
    ///   - parameters: `kSecAttrTokenIDSecureEnclave`, P-256, and the attributes of the private key.
    ///   - error: receives the `OSStatus` of the Keychain as an error of `NSOSStatusErrorDomain`.
    /// - Returns: nil for parameters that the simulation does not have, and if the phone lacks the sensor or passcode that
    ///   protects the key.
    public func createRandomKey(
        _ parameters: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
    ) -> SimulatedSecKey? {
        guard let phone = applePhone("SecKeyCreateRandomKey") else {
            error.set(KeychainProblem(errSecNotAvailable, "no iPhone, iPad or Mac is in use, or \(Phone.missing)"))
            return nil
        }
        return phone.answer("SecKeyCreateRandomKey", error, during: .store) {
            let parameters = try KeyParameters(parameters)
            return try phone.wait { try await KeychainStore(phone: phone, app: app).makeKey(parameters) }
        }
    }
}

/// The shape of `SecKeyCopyPublicKey`.
public func SimulatedSecKeyCopyPublicKey(_ key: SimulatedSecKey) -> SimulatedSecKey? {
    SimulatedSecKey(point: key.point)
}

/// The shape of `SecKeyCopyExternalRepresentation`: the uncompressed point of a public key.
///
/// A private key never leaves the Secure Enclave: the result is nil, and the error receives `errSecUnimplemented`.
public func SimulatedSecKeyCopyExternalRepresentation(
    _ key: SimulatedSecKey, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    guard key.privatePart == nil else {
        error.set(
            KeychainProblem(errSecUnimplemented, "a key of the Secure Enclave cannot be read; copy its public key"))
        return nil
    }
    return Data(key.point) as CFData
}

/// The shape of `SecKeyIsAlgorithmSupported`.
public func SimulatedSecKeyIsAlgorithmSupported(
    _ key: SimulatedSecKey, _ operation: SecKeyOperationType, _ algorithm: SecKeyAlgorithm
) -> Bool {
    guard algorithm == .ecdsaSignatureMessageX962SHA256 else { return false }
    return operation == (key.privatePart == nil ? .verify : .sign)
}

/// The shape of `SecKeyCreateSignature`: signs a message with ECDSA and SHA-256, in DER.
///
/// A prompt asks the user if the key's access control requires it. The error receives an `LAError` if the prompt fails or is
/// not allowed, as on Apple's systems, and otherwise the `OSStatus` of the Keychain.
public func SimulatedSecKeyCreateSignature(
    _ key: SimulatedSecKey, _ algorithm: SecKeyAlgorithm, _ dataToSign: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    guard let privatePart = key.privatePart else {
        error.set(.query("the key is public and cannot sign; use the private key"))
        return nil
    }
    let phone = privatePart.phone
    let message = Array(dataToSign as Data)
    let signature = phone.answer("SecKeyCreateSignature", error, during: .read, prompts: true) {
        try KeychainProblem.require(algorithm)
        return try phone.wait {
            try await KeychainStore(phone: phone, app: privatePart.id.app).sign(message, with: privatePart)
        }
    }
    return signature.map { Data($0) as CFData }
}

/// The shape of `SecKeyVerifySignature`.
///
/// The error receives `errSecParam` for another algorithm and for a private key, and `errSecVerifyFailed` for an invalid
/// signature.
public func SimulatedSecKeyVerifySignature(
    _ key: SimulatedSecKey, _ algorithm: SecKeyAlgorithm, _ signedData: CFData, _ signature: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> Bool {
    do throws(KeychainProblem) {
        try KeychainProblem.require(algorithm)
        guard key.privatePart == nil, let publicKey = key.publicKey else {
            throw .query("the key is private; verify with its public key, from SecKeyCopyPublicKey")
        }
        guard publicKey.verify(Array(signature as Data), over: Array(signedData as Data)) else {
            throw KeychainProblem(errSecVerifyFailed, "the signature does not match the key and the data; check both")
        }
        return true
    } catch let problem {
        error.set(problem)
        return false
    }
}

/// The shape of `SecKeyCreateEncryptedData`, which the simulation lacks: the error receives `errSecUnimplemented`.
public func SimulatedSecKeyCreateEncryptedData(
    _ key: SimulatedSecKey, _ algorithm: SecKeyAlgorithm, _ plaintext: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    error.set(.encryption)
    return nil
}

/// The shape of `SecKeyCreateDecryptedData`, which the simulation lacks: the error receives `errSecUnimplemented`.
public func SimulatedSecKeyCreateDecryptedData(
    _ key: SimulatedSecKey, _ algorithm: SecKeyAlgorithm, _ ciphertext: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    error.set(.encryption)
    return nil
}

extension KeychainProblem {
    fileprivate static let encryption = KeychainProblem(
        errSecUnimplemented, "the simulation's keys sign and verify only; encrypt with a key of CryptoKit")

    /// Refuses every algorithm other than the one of the simulation.
    fileprivate static func require(_ algorithm: SecKeyAlgorithm) throws(KeychainProblem) {
        guard algorithm == .ecdsaSignatureMessageX962SHA256 else {
            throw .query(
                "the simulation has no algorithm \(algorithm.rawValue); use ecdsaSignatureMessageX962SHA256")
        }
    }
}

extension Phone {
    /// The answer of a function that reports problems as `CFError`; nil for a problem.
    fileprivate func answer<Value>(
        _ call: String, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?, during operation: PlatformOperation,
        prompts: Bool = false, _ body: () throws -> Value
    ) -> Value? {
        do {
            return try body()
        } catch let cause {
            if prompts, let failure = failedPrompt(cause) {
                error.set(failure)
                return nil
            }
            let problem = keychainProblem(cause, during: operation)
            note(problem, call)
            error.set(problem)
            return nil
        }
    }
}
