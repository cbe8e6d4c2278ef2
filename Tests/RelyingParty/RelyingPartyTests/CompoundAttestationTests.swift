import CBOR
import COSE
import RelyingParty
import Testing
import WebAuthn

@Suite("Compound attestation")
struct CompoundAttestationTests {
    private static func item(_ format: String, _ statement: CBOR.Value) -> CBOR.Value {
        ["fmt": .text(format), "attStmt": statement]
    }

    /// A sample whose statement is compound: its own certified one and those that `others` adds.
    private static func sample(
        _ others: @escaping (RegistrationSample) throws -> [CBOR.Value]
    ) throws -> RegistrationSample {
        var sample = try RegistrationSample(Vector.named("packed-es256"))
        let plain = sample
        sample.format = "compound"
        sample.wrapStatement = { .array([item("packed", $0)] + (try others(plain))) }
        return sample
    }

    private static func selfAttested(_ sample: RegistrationSample) throws -> CBOR.Value {
        let signature = try sample.credentialKey.sign(sample.authenticatorDataBytes + sha256(sample.clientDataJSON))
        return item("packed", ["alg": -7, "sig": .bytes(signature)])
    }

    private static let none = item("none", [:])
    private static let broken = item("packed", ["alg": -7, "sig": .bytes([])])

    private static func verdict(
        _ sample: RegistrationSample, quorum: CompoundAttestation.Quorum = .all
    ) async throws -> RegistrationVerdict {
        let formats = AttestationFormats([
            CompoundAttestation(formats: AttestationFormats([NoneAttestation(), PackedAttestation()]), quorum: quorum)
        ])
        return await RegistrationVerifier(formats: formats).verify(
            try sample.response(), expectation: sample.expectation)
    }

    @Test func validStatementsAreAccepted() async throws {
        let sample = try Self.sample { [try Self.selfAttested($0)] }
        let credential = try await sample.verdict().get()
        #expect(credential.attestationFormat == "compound")
        #expect(credential.attestation.kind == .compound)
        #expect(credential.attestation.components.map(\.format) == ["packed", "packed"])
        #expect(credential.attestation.components.map(\.result.kind) == [.certified, .`self`])
        #expect(credential.isAttestationTrusted)
    }

    @Test func oneFailedStatementFailsAll() async throws {
        let ledger = try await Self.verdict(Self.sample { _ in [Self.broken] }).ledger
        #expect(ledger.failures.map(\.step) == [.attestationStatement])
        let labels = ledger[.attestationStatement]?.reasons.map(\.label)
        #expect(labels == [.compoundQuorum, .attestationSignatureMalformed])
    }

    @Test func aQuorumToleratesAFailedStatement() async throws {
        let credential = try await Self.verdict(Self.sample { _ in [Self.broken] }, quorum: .atLeast(1)).get()
        #expect(credential.attestation.components.map(\.result.kind) == [.certified])
        #expect(credential.attestation.componentsNeeded == 1)
        #expect(credential.isAttestationTrusted)
    }

    @Test(arguments: [CompoundAttestation.Quorum.atLeast(2), .atLeast(3), .atLeast(Int.max)])
    func aMissedQuorumFails(quorum: CompoundAttestation.Quorum) async throws {
        let ledger = try await Self.verdict(Self.sample { _ in [Self.broken] }, quorum: quorum).ledger
        #expect(ledger[.attestationStatement]?.reasons.first?.label == .compoundQuorum)
    }

    @Test(arguments: [0, -1, Int.min])
    func aQuorumOfZeroStillNeedsOneStatement(number: Int) async throws {
        var sample = try Self.sample { _ in [] }
        sample.wrapStatement = { _ in [Self.broken, Self.broken] }
        let ledger = try await Self.verdict(sample, quorum: .atLeast(number)).ledger
        #expect(ledger.failures.map(\.step) == [.attestationStatement])
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let statement: CBOR.Value
        let label: ReasonLabel
    }

    static let malformed = [
        Row(testDescription: "no statements", statement: [], label: .compoundCount),
        Row(testDescription: "one statement", statement: [none], label: .compoundCount),
        Row(
            testDescription: "nine statements", statement: .array([CBOR.Value](repeating: none, count: 9)),
            label: .compoundCount),
        Row(
            testDescription: "one inside another", statement: [none, item("compound", [none, none])],
            label: .compoundNested),
        Row(
            testDescription: "an unknown format", statement: [none, item("x", [:])],
            label: .attestationFormatUnsupported),
        Row(testDescription: "a number", statement: [none, 1], label: .attestationStatementMalformed),
        Row(testDescription: "no fmt", statement: [none, ["attStmt": [:]]], label: .attestationStatementMalformed),
        Row(testDescription: "no attStmt", statement: [none, ["fmt": "none"]], label: .attestationStatementMalformed),
        Row(
            testDescription: "fmt as a number", statement: [none, ["fmt": 1, "attStmt": [:]]],
            label: .attestationStatementMalformed),
        Row(
            testDescription: "an array as attStmt", statement: [none, item("packed", [])],
            label: .attestationStatementMalformed),
    ]

    @Test(arguments: malformed)
    func aMalformedCompoundStatementIsRefused(row: Row) async throws {
        var sample = try Self.sample { _ in [] }
        sample.wrapStatement = { _ in row.statement }
        let ledger = try await sample.verdict().ledger
        #expect(ledger.failures.map(\.step) == [.attestationStatement])
        #expect(ledger[.attestationStatement]?.reasons.map(\.label).contains(row.label) == true)
    }

    @Test func everyStatementMustMeetThePolicy() async throws {
        var sample = try Self.sample { _ in [Self.none] }
        sample.expectation.attestation.acceptsNone = false
        let refused = try await Self.verdict(sample).ledger
        #expect(refused[.attestationTrust]?.reasons.map(\.label) == [.attestationNoneRefused])
        // With a quorum of one, the certified statement is enough.
        #expect(try await Self.verdict(sample, quorum: .atLeast(1)).get().isAttestationTrusted)
    }

    @Test func theFormatOfEveryStatementMustBeAccepted() async throws {
        var sample = try Self.sample { _ in [Self.none] }
        sample.expectation.attestation.acceptedFormats = ["compound", "packed"]
        #expect(
            try await Self.verdict(sample).ledger[.attestationTrust]?.reasons.map(\.label) == [
                .attestationFormatNotAccepted
            ])
        sample.expectation.attestation.acceptedFormats = ["compound", "packed", "none"]
        #expect(try await Self.verdict(sample).ledger.isAccepted)
    }

    @Test func aModelNeedsATrustedStatement() async throws {
        var sample = try Self.sample { _ in [] }
        sample.wrapStatement = { _ in [Self.none, Self.none] }
        #expect(try await !sample.verdict().get().isAttestationTrusted)
        sample.expectation.attestation.acceptedModels = AAGUID(bytes: sample.model).map { [$0] }
        let ledger = try await sample.verdict().ledger
        #expect(ledger[.attestationTrust]?.reasons.map(\.label) == [.attestationModelUnproven])
    }

    @Test func unassessedPathsStayUnassessed() async throws {
        var sample = try Self.sample { [try Self.selfAttested($0)] }
        sample.expectation.attestation = .notAssessed
        let credential = try await sample.verdict().get()
        #expect(!credential.isAttestationTrusted)
    }

    @Test func aKeyThatCannotBeReadLeavesTheStatementsUnjudged() async throws {
        var sample = try Self.sample { _ in [] }
        let plain = sample
        sample.wrapStatement = { _ in [try Self.selfAttested(plain), try Self.selfAttested(plain)] }
        try sample.editKey { $0[3] = -7000 }
        sample.expectation.algorithms.append(COSE.Algorithm(rawValue: -7000))
        let ledger = try await sample.verdict().ledger
        #expect(ledger.failures.map(\.step) == [.credentialKey])
    }
}
