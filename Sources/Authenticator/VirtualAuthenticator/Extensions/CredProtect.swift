internal import CBOR
internal import CTAP
internal import Causes

/// How much a credential demands before it shows itself: the credProtect extension (CTAP 2.3 §12.1).
public enum CredentialProtection: Int, Hashable, Sendable, CaseIterable {
    /// userVerificationOptional: always visible.
    case userVerificationOptional = 1
    /// userVerificationOptionalWithCredentialIDList: visible to requests that name its ID or verify the user.
    case userVerificationOptionalWithCredentialIDList = 2
    /// userVerificationRequired: the verified user alone.
    case userVerificationRequired = 3

    /// Whether a credential of this level shows itself.
    func admits(isNamed: Bool, userVerified: Bool) -> Bool {
        switch self {
        case .userVerificationOptional: true
        case .userVerificationOptionalWithCredentialIDList: isNamed || userVerified
        case .userVerificationRequired: userVerified
        }
    }
}

extension VirtualAuthenticator {
    /// The level a request asks for; nil when it does not, or the device does not know the extension.
    ///
    /// - Throws: 0x11 for a value that is no number, 0x02 for a level that does not exist.
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
