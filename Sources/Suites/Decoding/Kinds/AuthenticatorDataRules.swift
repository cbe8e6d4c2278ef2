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
                .damage(
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
            problems.append(.damage("\(error)", "WebAuthn L3 §6.1"))
        }
        return problems
    }

    /// The degree to which bytes have the form of authenticator data: any 37 bytes begin like it.
    static func match(_ bytes: [UInt8]) -> Reading.Match {
        guard bytes.count >= 37 else { return .forced }
        let reserved = bytes[32] & 0x22
        if reserved != 0 {
            // Wrong flags beside a small counter, or beside a whole credential, are a mistake of authenticator data.
            var others = bytes
            others[32] ^= reserved
            return match(others) == .whole && (bytes.count > 37 || bytes[33] == 0) ? .whole : .forced
        }
        let flags = AuthenticatorDataFlags(rawValue: bytes[32])
        if (try? AuthenticatorData(parsing: bytes)) != nil || missingFlag(bytes) != nil { return .whole }
        guard !flags.contains(.backupState) || flags.contains(.backupEligible) else { return .forced }
        var rest = bytes[37...]
        if flags.contains(.attestedCredentialData) {
            guard flags.contains(.userPresent), rest.count >= 18 else {
                // Nothing after a small counter: an authenticator that set AT without the data.
                return rest.isEmpty && bytes[33...34] == [0, 0] ? .whole : .forced
            }
            let length = Int(rest[53]) << 8 | Int(rest[54])
            guard length <= 1023 else { return .forced }
            rest = rest.dropFirst(18 + length)
            // The beginning of a COSE key: a map with the key type first.
            guard let first = rest.first else { return .beginning }
            guard (0xA1...0xA8).contains(first), rest.dropFirst().first ?? 1 == 1 else { return .forced }
            guard let (_, end) = try? CBOR.decodePrefix(Array(rest), from: 0, options: .lenient) else {
                return .beginning
            }
            rest = rest.dropFirst(end)
            if !flags.contains(.extensionData) { return .whole }
        }
        guard flags.contains(.extensionData), let first = rest.first, (0xA1...0xAF).contains(first),
            (0x61...0x78).contains(rest.dropFirst().first ?? 0x61)
        else { return .forced }
        return .beginning
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
            problems.append(DecodingProblem("AT is not set; a registration sets it", "WebAuthn L3 §6.5.1"))
        case .authentication? where flags.contains(.attestedCredentialData):
            problems.append(DecodingProblem("AT is set; only a registration sets it", "WebAuthn L3 §6.1"))
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
