internal import Attestation
internal import CBOR
internal import Conformance

/// The cases of certificate paths in statements (WebAuthn L3 §7.1 step 24; RFC 5280 §6.1).
enum CertificateCases {
    private static func path(
        _ format: AttestedFormat, _ name: String, _ what: String, is outcome: CeremonyOutcome = .refused,
        level: Level = .must, needs: [RelyingPartyNeed] = [], clause: Clause? = nil,
        _ change: @escaping @Sendable ([[UInt8]]) -> [CBOR.Value]
    ) -> Case {
        format.statement("x5c.\(name)", what, is: outcome, level: level, clause: clause, needs: needs) { map, _ in
            let items = (try? map["x5c"]?.asArray("x5c")) ?? []
            map["x5c"] = .array(change(items.compactMap { try? $0.asBytes("x5c") }))
        }
    }

    private static func flipped(_ bytes: [UInt8]) -> [UInt8] { bytes.dropLast() + [(bytes.last ?? 0) ^ 1] }

    private static func changingLeaf(_ path: [[UInt8]], _ change: ([UInt8]) -> [UInt8]) -> [CBOR.Value] {
        path.enumerated().map { index, item in .bytes(index == 0 ? change(item) : item) }
    }

    private static let trust = Clause.webauthn("7.1", step: "24")

    static let all: [Case] =
        AttestedFormat.all.filter { $0.isCertified && !$0.members.isEmpty }.flatMap { format in
            [
                path(
                    format, "leafSignature", " whose certificate's signature differs in its last bit",
                    needs: [.testRoot], clause: trust
                ) { changingLeaf($0, flipped) },
                path(format, "texts", " whose certificates are texts") { $0.map { _ in .text("certificate") } },
                path(format, "nested", " whose certificates are in another array") {
                    [.array($0.map { .bytes($0) })]
                },
                path(format, "truncated", " whose certificate ends early") {
                    changingLeaf($0) { Array($0.dropLast(20)) }
                },
                path(format, "emptyCertificate", " whose certificate is empty") { _ in [.bytes([])] },
            ]
        }
        + AttestedFormat.all.filter { $0.kind == .androidKey }.flatMap { format in
            [
                path(
                    format, "noIntermediate", " without the intermediate certificate", needs: [.testRoot],
                    clause: trust
                ) { ($0.prefix(1) + $0.dropFirst(2)).map { .bytes($0) } },
                path(format, "reversed", " whose certificates are in reverse order") {
                    $0.reversed().map { .bytes($0) }
                },
                path(
                    format, "intermediateSignature", " whose intermediate certificate has a wrong signature",
                    needs: [.testRoot], clause: trust
                ) { $0.enumerated().map { index, item in .bytes(index == 1 ? flipped(item) : item) } },
                path(
                    format, "rootOnly", " whose leaf is the root", clause: .webauthn("8.4")
                ) { $0.suffix(1).map { .bytes($0) } },
                path(
                    format, "withoutRoot", " without its root", is: .accepted, level: .should, needs: [.testRoot],
                    clause: trust
                ) {
                    $0.dropLast().map { .bytes($0) }
                },
            ]
        }
}
