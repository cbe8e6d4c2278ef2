internal import COSE
internal import Conformance
internal import ForeignParties
internal import WebAuthn

/// The cases of an assertion's signature (WebAuthn L3 §6.5.5, §7.2 steps 20 and 21).
enum SignatureCases {
    static let all: [Case] = messages + bytes + ecdsa + [refusedNotSignedIn]

    private static let clause = Clause.webauthn("7.2", step: "21")

    /// The session after a refusal, by the relying party's own word.
    private static let refusedNotSignedIn = Case(
        "assertion.signature.refusedNotSignedIn", "A sign-in with a wrong signature signs no user in.",
        .webauthn("7.2", step: "25")
    ) { bench, recorder in
        guard bench.party.asksForIdentity else {
            throw CaseStop.notRun("the description has no request for the identity")
        }
        let (valid, passkey) = try await bench.requireBegun()
        _ = try await bench.complete(valid, passkey) { _ in }
        guard try await bench.identity(in: valid.session) != nil else {
            throw CaseStop.notRun("the relying party names no user after a sign-in")
        }
        let (begun, other) = try await bench.requireBegun()
        guard try await bench.identity(in: begun.session) == nil else {
            throw CaseStop.notRun("a new session is signed in already")
        }
        let reply = try await bench.complete(begun, other) {
            $0.changeSignature = { [UInt8](repeating: 0, count: $0.count) }
        }
        guard !reply.isAccepted else {
            throw CaseStop.notRun("the signature is accepted, see assertion.signature.zeros")
        }
        let name = try await bench.identity(in: begun.session)
        recorder.expect(name == nil, "a session without a user", seen: "the session of \(name ?? "")")
    }

    private static func message(
        _ name: String, _ what: String, _ message: @escaping @Sendable ([UInt8], [UInt8]) -> [UInt8]
    ) -> Case {
        .assertion("signature.\(name)", with: what, is: .refused, clause) { $0.message = message }
    }

    private static let messages: [Case] = [
        message("noClientData", "a signature over authenticator data only") { data, _ in data },
        message("noAuthenticatorData", "a signature over the hash of client data only") { _, hash in hash },
        message("swapped", "a signature over the hash of client data, then authenticator data") { $1 + $0 },
        message("hashTwice", "a signature over a hash of the hash of client data") { $0 + sha256($1) },
        message("hashed", "a signature over a hash of the signed data") { sha256($0 + $1) },
        message("surplus", "a signature over one more byte") { $0 + $1 + [0] },
        message("u2fRegistration", "a signature over 0x00 and the signed data") { [0] + $0 + $1 },
        message("empty", "a signature over nothing") { _, _ in [] },
        .assertion(
            "signature.otherClientData", with: "a signature over the client data of another challenge", is: .refused,
            clause
        ) { assertion in
            var other = assertion.clientData
            other.set("challenge", Base64URL.encode([UInt8](repeating: 1, count: 32)))
            let hash = sha256(other.encoded)
            assertion.message = { data, _ in data + hash }
        },
        .assertion(
            "signature.otherCounter", with: "a signature over another counter", is: .refused, clause
        ) { assertion in
            var other = assertion.authenticatorData
            other.counter += 1
            let data = other.encoded
            assertion.message = { _, hash in data + hash }
        },
        .assertion("signature.otherFlags", with: "a signature over flags without UV", is: .refused, clause) {
            assertion in
            var other = assertion.authenticatorData
            other.flags.remove(.userVerified)
            let data = other.encoded
            assertion.message = { _, hash in data + hash }
        },
    ]

    private static func signature(
        _ name: String, _ what: String, is outcome: CeremonyOutcome = .refused, level: Level = .must,
        needs: [RelyingPartyNeed] = [], _ change: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) -> Case {
        let algorithm: COSE.Algorithm? = needs.isEmpty ? nil : .es256
        return .assertion(
            "signature.\(name)", with: what, is: outcome, clause, level: level, needs: needs,
            form: SignInForm(passkey: PasskeyForm(algorithm: algorithm))
        ) { $0.changeSignature = change }
    }

    private static let bytes: [Case] = [
        signature("lastBit", "a signature whose last bit differs") { Array($0.dropLast()) + [($0.last ?? 0) ^ 1] },
        signature("truncated", "a signature without its last byte") { Array($0.dropLast()) },
        signature("byteAfter", "a signature with a byte after its end") { $0 + [0] },
        signature("zeros", "a signature of zeros") { [UInt8](repeating: 0, count: $0.count) },
        signature("ones", "a signature of ones") { [UInt8](repeating: 0xFF, count: $0.count) },
        signature("oneByte", "a signature of one byte") { _ in [0x30] },
        signature("reversed", "a signature whose bytes are reversed") { $0.reversed() },
        .assertion("signature.otherKey", with: "a signature by another key", is: .refused, clause) { assertion in
            assertion.key = try COSE.PrivateKey.generate(assertion.key.algorithm) { count in
                (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7 + 3) }
            }
        },
    ]

    private static func ecdsa(
        _ name: String, _ what: String, is outcome: CeremonyOutcome = .refused, level: Level = .must,
        _ change: @escaping @Sendable (ForgedECDSA) -> [UInt8]
    ) -> Case {
        signature("ecdsa.\(name)", what, is: outcome, level: level, needs: [.algorithm(.es256)]) { bytes in
            ForgedECDSA(bytes).map(change) ?? bytes
        }
    }

    /// The number with its sign turned.
    private static func negative(_ content: [UInt8]) -> [UInt8] {
        content.first == 0 ? Array(content.dropFirst()) : [0xFF] + content
    }

    private static let ecdsa: [Case] = [
        ecdsa("complement", "an ECDSA signature with the complement of s", is: .accepted) { $0.complement.der },
        ecdsa("raw", "an ECDSA signature that is not in DER") { $0.raw },
        ecdsa("swapped", "an ECDSA signature whose r and s are swapped") { ForgedECDSA(r: $0.s, s: $0.r).der },
        ecdsa("zeroR", "an ECDSA signature whose r is 0") { ForgedECDSA(r: [0], s: $0.s).der },
        ecdsa("zeroS", "an ECDSA signature whose s is 0") { ForgedECDSA(r: $0.r, s: [0]).der },
        ecdsa("zeros", "an ECDSA signature whose r and s are 0") { _ in ForgedECDSA(r: [0], s: [0]).der },
        ecdsa("ones", "an ECDSA signature whose r and s are 1") { _ in ForgedECDSA(r: [1], s: [1]).der },
        ecdsa("orderS", "an ECDSA signature whose s is the order of the curve") {
            ForgedECDSA(r: $0.r, s: ForgedECDSA.positive(ForgedECDSA.order)).der
        },
        ecdsa("noS", "an ECDSA signature without s") { ForgedECDSA.sequence(ForgedECDSA.integer($0.r)) },
        ecdsa("third", "an ECDSA signature with a third number") {
            ForgedECDSA.sequence(ForgedECDSA.integer($0.r) + ForgedECDSA.integer($0.s) + ForgedECDSA.integer([1]))
        },
        ecdsa("leadingZero", "an ECDSA signature whose r has a needless zero", level: .should) {
            ForgedECDSA(r: [0] + $0.r, s: $0.s).der
        },
        ecdsa("longLength", "an ECDSA signature whose length is in the long form", level: .should) {
            let content = ForgedECDSA.integer($0.r) + ForgedECDSA.integer($0.s)
            return [0x30, 0x81, UInt8(truncatingIfNeeded: content.count)] + content
        },
        ecdsa("indefinite", "an ECDSA signature of indefinite length", level: .should) {
            [0x30, 0x80] + ForgedECDSA.integer($0.r) + ForgedECDSA.integer($0.s) + [0, 0]
        },
        ecdsa("negativeS", "an ECDSA signature whose s is negative") { ForgedECDSA(r: $0.r, s: negative($0.s)).der },
        ecdsa("octetStrings", "an ECDSA signature of octet strings") {
            ForgedECDSA.sequence(
                [0x04] + ForgedECDSA.integer($0.r).dropFirst() + [0x04] + ForgedECDSA.integer($0.s).dropFirst())
        },
    ]
}

extension RelyingPartyBench {
    /// The signed-in user of a session, by the relying party's word; nil for none.
    fileprivate func identity(in session: PartySession) async throws -> String? {
        try await reaching { try await session.identity(userAgent: Self.userAgent) }
    }
}
