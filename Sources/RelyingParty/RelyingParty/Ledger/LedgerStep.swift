/// One step of a relying party's verification: `r…` of a registration, `a…` of an authentication.
///
/// The identifiers are stable; reports and tests use them.
public enum LedgerStep: String, Hashable, Sendable, Codable, CaseIterable {
    case r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, r18, r19, r20, r21, r22
    case a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12

    /// The steps of a registration, in the specification's order.
    public static let registration = allCases.filter { $0.rawValue.hasPrefix("r") }

    /// The steps of an authentication, in the specification's order.
    public static let authentication = allCases.filter { $0.rawValue.hasPrefix("a") }

    /// What the step checks, as a short phrase.
    public var title: String { details.title }

    /// The clause of WebAuthn Level 3 the step comes from.
    public var clause: String { "WebAuthn L3 \(details.clause)" }

    private var details: (title: String, clause: String) {
        switch self {
        case .r1: ("the response is an attestation of a public key under one credential ID", "§7.1 step 3")
        case .r2: ("client data is UTF-8 and JSON", "§7.1 steps 5–6")
        case .r3: ("client data is of a registration", "§7.1 step 7")
        case .r4: ("the challenge is the one issued", "§7.1 step 8")
        case .r5: ("the origin is expected", "§7.1 step 9")
        case .r6: ("a cross-origin frame is expected", "§7.1 step 10")
        case .r7: ("the top-level origin is expected", "§7.1 step 11")
        case .r8: ("the attestation object is one canonical CBOR map", "§7.1 step 13")
        case .r9: ("the RP ID hash is this relying party's", "§7.1 step 14")
        case .r10: ("the user was present", "§7.1 step 15")
        case .r11: ("the user was verified where required", "§7.1 step 16")
        case .r12: ("only an eligible credential is backed up", "§7.1 step 17")
        case .r13: ("backup eligibility and state meet the policy", "§7.1 steps 18–19")
        case .r14: ("authenticator data holds the new credential, with exact lengths", "§6.1")
        case .r15: ("the key's algorithm was offered and the key is sound", "§7.1 step 20")
        case .r16: ("the attestation statement is valid in its format", "§7.1 steps 21–22")
        case .r17: ("the attestation is trusted", "§7.1 steps 23–24")
        case .r18: ("the credential ID is at most 1023 bytes", "§7.1 step 25")
        case .r19: ("the credential ID is not registered to any user", "§7.1 step 26")
        case .r20: ("a credential record is made", "§7.1 step 27")
        case .r21: ("extension outputs meet the policy", "§7.1 step 28")
        case .r22: ("the record goes to the account named in the request", "§7.1 step 29")
        case .a1: ("the credential is one that was allowed", "§7.2 step 5")
        case .a2: ("the credential belongs to the known user", "§7.2 step 6")
        case .a3: ("the user handle names the credential's owner", "§7.2 step 6")
        case .a4: ("client data answers this request", "§7.2 steps 8–14")
        case .a5: ("authenticator data is this relying party's", "§7.2 step 15")
        case .a6: ("the user was present", "§7.2 step 16")
        case .a7: ("the user was verified where required", "§7.2 step 17")
        case .a8: ("backup eligibility is consistent and unchanged", "§7.2 steps 18–19")
        case .a9: ("the signature is the stored key's", "§7.2 steps 20–21")
        case .a10: ("the signature counter went up", "§7.2 step 22")
        case .a11: ("the new state is the received one", "§7.2 step 24")
        case .a12: ("the state is handed over only after every check", "§7.2 step 25")
        }
    }
}
