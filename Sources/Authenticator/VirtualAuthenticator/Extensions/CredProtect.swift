internal import CBOR
internal import CTAP
internal import Causes

/// The verification a credential needs before it is revealed: the credProtect extension (CTAP 2.3 §12.1).
public enum CredentialProtection: Int, Hashable, Sendable, CaseIterable {
    /// userVerificationOptional: always visible.
    case userVerificationOptional = 1
    /// userVerificationOptionalWithCredentialIDList: visible to requests that name its ID or verify the user.
    case userVerificationOptionalWithCredentialIDList = 2
    /// userVerificationRequired: visible after user verification only.
    case userVerificationRequired = 3

    package func admits(isNamed: Bool, userVerified: Bool) -> Bool {
        switch self {
        case .userVerificationOptional: true
        case .userVerificationOptionalWithCredentialIDList: isNamed || userVerified
        case .userVerificationRequired: userVerified
        }
    }
}

extension VirtualAuthenticator {
    /// The requested level; throws 0x11 for a value that is not a number, 0x02 for an unknown level.
    func requestedProtection(_ extensions: [String: CBOR.Value]?) throws(Refusal) -> CredentialProtection? {
        let number = try extensionInput(.credProtect, extensions) { value, path throws(CBOR.AccessError) in
            try value.asUnsigned(path)
        }
        guard let number else { return nil }
        guard let level = CredentialProtection(rawValue: number) else {
            throw Refusal(.invalidParameter, RefusalReason("credProtect", .unknownLevel, "CTAP 2.3 §12.1"))
        }
        return level
    }
}
