internal import CBOR
internal import WebAuthn
internal import Wording

/// The rules of authenticator data that it alone can break (WebAuthn L3 §6.1).
enum AuthenticatorDataRules {
    /// The ceremony that a response belongs to.
    enum Ceremony {
        case registration, authentication
    }

    /// - Parameter ceremony: nil where the bytes come without their response.
    static func problems(_ bytes: [UInt8], _ ceremony: Ceremony?) -> [DecodingProblem] {
        guard bytes.count >= 37 else {
            return [
                DecodingProblem(
                    "authenticator data has at least 37 bytes, not \(bytes.count): a hash of 32, the flags, and a counter of 4",
                    "WebAuthn L3 §6.1")
            ]
        }
        var problems = flags(AuthenticatorDataFlags(rawValue: bytes[32]), ceremony)
        do {
            let data = try AuthenticatorData(parsing: bytes)
            if let attested = data.attestedCredentialData {
                problems += self.attested(attested)
                problems += Reading.keyProblems(attested.credentialPublicKey)
            }
        } catch .surplusBytes(let count) {
            let hint = missingFlag(bytes).map { "; with \($0.abbreviations) set they fit" } ?? ""
            problems.append(
                DecodingProblem(
                    Wording.counted(count, "byte follows", "bytes follow") + " the parts that the flags announce"
                        + hint,
                    "WebAuthn L3 §6.1"))
        } catch {
            problems.append(DecodingProblem("\(error)", "WebAuthn L3 §6.1"))
        }
        return problems
    }

    private static func flags(_ flags: AuthenticatorDataFlags, _ ceremony: Ceremony?) -> [DecodingProblem] {
        var problems: [DecodingProblem] = []
        for bit in [1, 5] where flags.rawValue >> UInt8(bit) & 1 == 1 {
            problems.append(DecodingProblem("bit \(bit) of the flags is reserved and set", "WebAuthn L3 §6.1"))
        }
        if flags.contains(.backupState), !flags.contains(.backupEligible) {
            problems.append(DecodingProblem("BS is set without BE", "WebAuthn L3 §6.1.3"))
        }
        switch ceremony {
        case .registration? where !flags.contains(.attestedCredentialData):
            problems.append(DecodingProblem("AT is not set, which a registration sets", "WebAuthn L3 §6.5.1"))
        case .authentication? where flags.contains(.attestedCredentialData):
            problems.append(DecodingProblem("AT is set, which only a registration sets", "WebAuthn L3 §6.1"))
        default: break
        }
        return problems
    }

    /// The flag that would announce the bytes after the parts, where they have the form of its part.
    static func missingFlag(_ bytes: [UInt8]) -> AuthenticatorDataFlags? {
        let flags: [AuthenticatorDataFlags] = [
            .attestedCredentialData, .extensionData, [.attestedCredentialData, .extensionData],
        ]
        return flags.first { flag in
            var changed = bytes
            changed[32] |= flag.rawValue
            return changed != bytes && (try? AuthenticatorData(parsing: changed)) != nil
        }
    }

    private static func attested(_ data: AttestedCredentialData) -> [DecodingProblem] {
        let count = data.credentialID.count
        switch count {
        case 0: return [DecodingProblem("the credential ID has no bytes", "WebAuthn L3 §6.5.1")]
        case 1...1023: return []
        default: return [DecodingProblem("the credential ID has \(count) bytes, more than 1023", "WebAuthn L3 §6.5.1")]
        }
    }
}
