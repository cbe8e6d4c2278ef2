internal import CBOR
internal import WebAuthn

/// The `compound` format (WebAuthn L3 §8.9): an array of two or more `{"fmt": text, "attStmt": statement}`, none of
/// them compound, each about the same credential.
package struct CompoundAttestation: AttestationFormat {
    /// The number of statements that must be valid.
    package enum Quorum: Hashable, Sendable {
        case all
        /// This many, or all when there are fewer; at least one.
        case atLeast(Int)

        func needed(of count: Int) -> Int {
            switch self {
            case .all: count
            case .atLeast(let number): min(max(number, 1), count)
            }
        }
    }

    package let identifier = "compound"
    package let formats: AttestationFormats
    package let quorum: Quorum

    package init(formats: AttestationFormats, quorum: Quorum = .all) {
        self.formats = formats
        self.quorum = quorum
    }

    /// The maximum number of statements; longer lists do not occur.
    private static let limit = 8

    package func verify(_ input: AttestationInput) throws(AttestationRefusal) -> AttestationResult {
        let items = try self.items(input.statement)
        let needed = quorum.needed(of: items.count)
        var components: [AttestationComponent] = []
        var reasons: [Reason] = []
        var isKeyNeeded = false
        for item in items {
            do throws(AttestationRefusal) {
                components.append(try verify(item.format, item.statement, input))
            } catch {
                isKeyNeeded = isKeyNeeded || error == .keyNeeded
                reasons += error.reasons
            }
        }
        guard components.count < needed else { return .compound(components, needed: needed) }
        if isKeyNeeded, reasons.isEmpty { throw .keyNeeded }
        let sentence = "\(components.count) of \(items.count) statements are valid; \(needed) must be"
        throw .failed([Reason(.compoundQuorum, sentence)] + reasons)
    }

    private func verify(
        _ format: String, _ statement: CBOR.Value, _ input: AttestationInput
    ) throws(AttestationRefusal) -> AttestationComponent {
        guard let verifier = formats[format] else {
            let sentence = "the format “\(format)” of a statement is not supported"
            throw .failed([Reason(.attestationFormatUnsupported, sentence)])
        }
        var part = input
        part.statement = statement
        return AttestationComponent(format: format, result: try verifier.verify(part))
    }

    private func items(_ statement: CBOR.Value) throws(AttestationRefusal) -> [(format: String, statement: CBOR.Value)]
    {
        var items: [(format: String, statement: CBOR.Value)] = []
        do {
            for (index, item) in try statement.asArray("attStmt").enumerated() {
                let map = try item.asMap("attStmt[\(index)]")
                let format = try map.required("fmt", "attStmt[\(index)].fmt").asText("attStmt[\(index)].fmt")
                items.append((format, try map.required("attStmt", "attStmt[\(index)].attStmt")))
            }
        } catch {
            throw StatementMembers.malformed(error.description)
        }
        var reasons: [Reason] = []
        if !(2...Self.limit).contains(items.count) {
            let sentence = "the number of statements is \(items.count), not 2 to \(Self.limit)"
            reasons.append(Reason(.compoundCount, sentence))
        }
        if items.contains(where: { isSameText($0.format, identifier) }) {
            reasons.append(Reason(.compoundNested, "a compound statement contains another compound statement"))
        }
        guard reasons.isEmpty else { throw .failed(reasons) }
        return items
    }
}

extension ReasonLabel {
    package static let compoundCount: ReasonLabel = "attestation.compound.statementCount"
    package static let compoundNested: ReasonLabel = "attestation.compound.nested"
    /// Too few statements are valid; the reasons of the invalid ones follow.
    package static let compoundQuorum: ReasonLabel = "attestation.compound.tooFewHold"
}
