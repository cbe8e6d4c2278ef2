import Attestation
import AttestationSamples
import COSE
import Crypto
import Foundation
import MetadataService
import RelyingParty
import SwiftASN1
import Testing
import WebAuthn
import X509

@Suite("The FIDO Metadata Service's BLOB")
struct MetadataTests {
    @Test func aBLOBIsReadAndItsModelsAreFound() async throws {
        let sample = try RegistrationSample(Vector.named("packed-es256"))
        var form = MetadataForm()
        form.entries = [try MetadataForm.entry(of: sample)]
        let blob = try await form.read(after: 6)
        #expect(blob.number == 7)
        #expect(blob.nextUpdate == .seconds(1_751_328_000))
        let model = try #require(AAGUID(bytes: sample.model))
        #expect(blob.entry(for: model)?.name == "The vectors' model")
        #expect(blob.entry(for: model)?.statusReports.map(\.status) == [.certified])
        #expect(blob.entry(for: .zero) == nil)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let isUntrusted: Bool
        let edit: @Sendable (inout MetadataForm) -> Void
    }

    static let refused = [
        Row(testDescription: "another signature", isUntrusted: true) {
            $0.editSignature = { $0.dropLast() + [($0.last ?? 0) ^ 1] }
        },
        Row(testDescription: "no signature", isUntrusted: true) { $0.editSignature = { _ in [] } },
        Row(testDescription: "no certificates", isUntrusted: true) { $0.carriesCertificates = false },
        Row(testDescription: "no algorithm", isUntrusted: true) { $0.header["alg"] = "none" },
        Row(testDescription: "a payload that is not JSON", isUntrusted: false) { $0.editPayload = { _ in "{" } },
        Row(testDescription: "no entries", isUntrusted: false) {
            $0.editPayload = { $0.replacing("entries", with: "entry") }
        },
        Row(testDescription: "a next update that is not a date", isUntrusted: false) { $0.nextUpdate = "soon" },
    ]

    @Test(arguments: refused)
    func aBrokenBLOBIsRefused(row: Row) async throws {
        var form = MetadataForm()
        row.edit(&form)
        let broken = form
        let error = await #expect(throws: MetadataError.self) { _ = try await broken.read() }
        switch error {
        case .untrusted: #expect(row.isUntrusted)
        case .malformed: #expect(!row.isUntrusted)
        case .notNewer, nil: Issue.record("\(String(describing: error))")
        }
    }

    @Test func bytesThatAreNoJWSAreRefused() async throws {
        let root = try MetadataForm().rootCertificate()
        for bytes in [[], Array("a.b".utf8), [0xFF, 0x2E, 0x2E]] {
            await #expect(throws: MetadataError.self) {
                _ = try await MetadataBLOB(jws: bytes, roots: [root], now: .zero)
            }
        }
    }

    @Test func aBLOBUnderAnotherRootIsRefused() async throws {
        let form = MetadataForm()
        let other = try MetadataForm().rootCertificate()
        await #expect(throws: MetadataError.self) {
            _ = try await MetadataBLOB(jws: form.encoded(), roots: [other], now: Example.now)
        }
    }

    @Test func theCertificatesMustBeValidAtTheGivenTime() async throws {
        let form = MetadataForm()
        await #expect(throws: MetadataError.self) { _ = try await form.read(now: .seconds(1_950_000_000)) }
        await #expect(throws: MetadataError.self) { _ = try await form.read(now: .seconds(1_600_000_000)) }
    }

    @Test func theProblemOfASignersCertificateIsOneSentence() async throws {
        var form = MetadataForm()
        form.signerNotAfter = Date(timeIntervalSince1970: 1_740_000_000)
        let signed = form
        let expired = await #expect(throws: MetadataError.self) { _ = try await signed.read() }
        #expect(
            expired?.description
                == "the metadata BLOB is not trusted: the certificate of Metadata signer expired on 2025-02-19")
        let early = await #expect(throws: MetadataError.self) {
            _ = try await signed.read(now: .seconds(1_600_000_000))
        }
        #expect(
            early?.description
                == "the metadata BLOB is not trusted: the certificate of Metadata signer is not valid before 2023-11-14"
        )
        let other = try MetadataForm().rootCertificate()
        let stray = await #expect(throws: MetadataError.self) {
            _ = try await MetadataBLOB(jws: MetadataForm().encoded(), roots: [other], now: Example.now)
        }
        #expect(
            stray?.description
                == "the metadata BLOB is not trusted: the certificate of Metadata signer leads to none of the "
                + "given roots; the last issuer on its path is CN=Metadata root")
    }

    @Test(
        "A payload's mistake is named",
        arguments: [
            (#""no":7"#, #""no":"7""#, "`no` in the payload is not of the type"),
            ("nextUpdate", "next", "`nextUpdate` is missing"),
            ("{", "", "the payload is not JSON"),
        ])
    func theMistakeOfAPayloadIsNamed(original: String, changed: String, words: String) async throws {
        var form = MetadataForm()
        form.editPayload = { $0.replacing(original, with: changed) }
        let broken = form
        let error = await #expect(throws: MetadataError.self) { _ = try await broken.read() }
        #expect(error?.description.contains(words) == true, "\(error as Any)")
    }

    @Test func theNumberMustRise() async throws {
        let form = MetadataForm()
        await #expect(throws: MetadataError.notNewer(number: 7, previous: 7)) { _ = try await form.read(after: 7) }
        await #expect(throws: MetadataError.notNewer(number: 7, previous: 8)) { _ = try await form.read(after: 8) }
    }

    @Test func everyIssuerNeedsACurrentRevocationList() async throws {
        let form = MetadataForm()
        let list = RevocationForm(issuer: form.rootName(), key: form.rootKey)
        _ = try await form.read(revocationLists: [list.list()])

        var revoking = list
        revoking.serialNumbers = [1, 0x42]
        var outdated = list
        outdated.nextUpdate = (2025, 6)
        var future = list
        future.thisUpdate = (2025, 7)
        var forged = list
        forged.key = P256.Signing.PrivateKey()
        let lists = try [[], [revoking.list()], [outdated.list()], [future.list()], [forged.list()]]
        for lists in lists {
            await #expect(throws: MetadataError.self) { _ = try await form.read(revocationLists: lists) }
        }
        #expect(throws: MetadataError.self) { _ = try CertificateRevocationList(der: [0x30, 0x00]) }
    }
}

@Suite("Registrations against metadata")
struct MetadataPolicyTests {
    /// The outcome of r17 for a packed registration whose model has this entry.
    private static func trust(
        _ name: String = "packed-es256", statuses: [String] = [#"{"status":"FIDO_CERTIFIED"}"#],
        edit: (inout MetadataStatement) -> Void = { _ in },
        change: (inout RegistrationSample) throws -> Void = { _ in }
    ) async throws -> RegistrationVerdict {
        var sample = try RegistrationSample(Vector.named(name))
        var form = MetadataForm()
        form.entries = [try MetadataForm.entry(of: sample, statuses: statuses, edit: edit)]
        sample.expectation.attestation.trustAnchors = nil
        sample.expectation.attestation.metadata = MetadataPolicy(blob: try await form.read())
        try change(&sample)
        return try await sample.verdict()
    }

    @Test func theEntrySuppliesTheTrustAnchor() async throws {
        let verdict = try await Self.trust()
        #expect(verdict.ledger[.attestationTrust] == .passed)
        #expect(try verdict.get().isModelProven)
    }

    @Test func aModelWithoutAnEntryHasNoAnchor() async throws {
        let verdict = try await Self.trust {
            $0.subject = .model(.zero)
        }
        #expect(verdict.ledger[.attestationTrust]?.reasons.map(\.label) == [.attestationNoTrustAnchor])
    }

    struct Status: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var reports: [String]
        var refusal: ReasonLabel?
        var flag: ReasonLabel?
    }

    static let statuses =
        AuthenticatorStatus.compromised.map {
            Status(
                testDescription: $0.rawValue, reports: [#"{"status":"\#($0.rawValue)"}"#],
                refusal: .metadataStatusRefused)
        } + [
            Status(testDescription: "certified", reports: [#"{"status":"FIDO_CERTIFIED_L1"}"#]),
            Status(testDescription: "unknown", reports: [#"{"status":"POLISHED"}"#]),
            Status(testDescription: "no report", reports: []),
            Status(
                testDescription: "revoked in the past, certified since",
                reports: [
                    #"{"status":"REVOKED","effectiveDate":"2020-01-01"}"#,
                    #"{"status":"FIDO_CERTIFIED","effectiveDate":"2021-01-01"}"#,
                ], refusal: .metadataStatusRefused),
            Status(
                testDescription: "revoked from tomorrow",
                reports: [#"{"status":"REVOKED","effectiveDate":"2025-06-30"}"#]),
            Status(
                testDescription: "update available", reports: [#"{"status":"UPDATE_AVAILABLE"}"#],
                flag: .metadataStatusFlagged),
            Status(
                testDescription: "updated",
                reports: [#"{"status":"UPDATE_AVAILABLE"}"#, #"{"status":"FIDO_CERTIFIED"}"#]),
            Status(
                testDescription: "not certified", reports: [#"{"status":"NOT_FIDO_CERTIFIED"}"#],
                flag: .metadataStatusFlagged),
        ]

    @Test(arguments: statuses)
    func theStatusOfTheModelCounts(status: Status) async throws {
        let outcome = try await Self.trust(statuses: status.reports).ledger[.attestationTrust]
        if let refusal = status.refusal {
            guard case .failed(let reasons)? = outcome else { Issue.record("\(String(describing: outcome))"); return }
            #expect(reasons.map(\.label) == [refusal])
        } else if let flag = status.flag {
            guard case .flagged(let reasons)? = outcome else { Issue.record("\(String(describing: outcome))"); return }
            #expect(reasons.map(\.label) == [flag])
        } else {
            #expect(outcome == .passed)
        }
    }

    @Test func aReportCountsFromItsDayAtTheMomentOfJudging() async throws {
        let reports = [#"{"status":"REVOKED","effectiveDate":"2021-01-01"}"#]
        let before = try await Self.trust(statuses: reports) { _ in
        } change: {
            $0.expectation.attestation.trustAnchors = nil
            $0.expectation.now = .seconds(1_600_000_000)
        }
        #expect(before.ledger[.attestationTrust]?.reasons.contains { $0.label == .metadataStatusRefused } == false)
        let after = try await Self.trust(statuses: reports)
        #expect(
            after.ledger[.attestationTrust]?.reasons.map(\.explanation)
                == ["the metadata reports REVOKED for “The vectors' model” since 2021-01-01"])
    }

    @Test func aCompromisedCertificateRefusesOnlyItsPaths() async throws {
        let own = Data(try VectorFile.rootCertificate()).base64EncodedString()
        let other = Data(try MetadataForm().rootCertificate()).base64EncodedString()
        let refused = try await Self.trust(
            statuses: [#"{"status":"ATTESTATION_KEY_COMPROMISE","certificate":"\#(own)"}"#])
        #expect(refused.ledger[.attestationTrust]?.reasons.map(\.label) == [.metadataStatusRefused])
        let accepted = try await Self.trust(
            statuses: [#"{"status":"ATTESTATION_KEY_COMPROMISE","certificate":"\#(other)"}"#])
        #expect(accepted.ledger[.attestationTrust] == .passed)
    }

    @Test func thePolicyChoosesTheRefusedStatuses() async throws {
        let verdict = try await Self.trust(
            statuses: [#"{"status":"REVOKED"}"#],
            change: { $0.expectation.attestation.metadata?.refusedStatuses = [] })
        #expect(verdict.ledger[.attestationTrust] == .passed)
    }

    @Test func theKindOfAttestationMustBeListed() async throws {
        let certified = try await Self.trust { $0.attestation = [.packed] }
        #expect(certified.ledger[.attestationTrust]?.reasons.map(\.label) == [.metadataAttestationType])
        let selfSigned = try await Self.trust("packed-self-es256")
        #expect(selfSigned.ledger[.attestationTrust]?.reasons.map(\.label) == [.metadataAttestationType])
        let surrogate = try await Self.trust("packed-self-es256") { $0.attestation = [.packed] }
        #expect(surrogate.ledger[.attestationTrust] == .passed)
    }

    @Test func theAlgorithmMustBeListed() async throws {
        let verdict = try await Self.trust { $0.algorithms = [.es384, .rs256] }
        #expect(verdict.ledger[.attestationTrust]?.reasons.map(\.label) == [.metadataAlgorithm])
    }

    @Test func outdatedMetadataIsFlagged() async throws {
        let onTheDay = try await Self.trust(change: {
            $0.expectation.now = .seconds(1_751_328_000 + 86_399)
        })
        #expect(onTheDay.ledger[.attestationTrust] == .passed)
        let later = try await Self.trust(change: { $0.expectation.now = .seconds(1_751_328_000 + 86_400) })
        #expect(later.ledger[.attestationTrust]?.reasons.map(\.label) == [.metadataOutdated])
        #expect(
            later.ledger[.attestationTrust]?.reasons.map(\.explanation)
                == ["number 7 of the metadata is out of date: the next was due by 2025-07-01"])
        #expect(later.ledger.isAccepted)
        // Also where the model has no entry, or the credential no attestation.
        for name in ["none-es256", "packed-self-es256"] {
            let other = try await Self.trust(name) {
                $0.subject = .model(.zero)
            } change: {
                $0.expectation.now = .seconds(1_760_000_000)
            }
            #expect(other.ledger[.attestationTrust]?.flags.map(\.label) == [.metadataOutdated], "\(name)")
        }
    }

    @Test func aU2FKeyIsFoundByItsCertificate() async throws {
        let sample = try RegistrationSample(Vector.named("fido-u2f-es256"))
        let leaf = try Certificate(derEncoded: try #require(sample.certificates.first))
        let identifier = Array(Insecure.SHA1.hash(data: leaf.publicKey.subjectPublicKeyInfoBytes))
        let known = try await Self.trust("fido-u2f-es256") { $0.subject = .certificates([identifier]) }
        #expect(known.ledger[.attestationTrust] == .passed)
        // The AAGUID that the response claims finds nothing.
        let claimed = try await Self.trust("fido-u2f-es256")
        #expect(claimed.ledger[.attestationTrust]?.reasons.map(\.label) == [.attestationNoTrustAnchor])
    }

    @Test(arguments: [("42", true), ("41", false), ("0042", false)])
    func aKeyOnGooglesListIsRefused(serialNumber: String, isRevoked: Bool) async throws {
        let json = #"{"entries":{"\#(serialNumber)":{"status":"SUSPENDED","reason":"KEY_COMPROMISE"}}}"#
        for name in ["android-key-es256", "packed-es256"] {
            var sample = try RegistrationSample(Vector.named(name))
            if name == "packed-es256" { try sample.certify { _ in } }
            sample.expectation.attestation.androidRevocations = try AndroidRevocationList(json: Array(json.utf8))
            let labels = try await sample.verdict().ledger[.attestationTrust]?.reasons.map(\.label)
            #expect(labels == (isRevoked && name == "android-key-es256" ? [.attestationCertificateRevoked] : []))
        }
    }

    @Test func aListThatIsNoneIsRefused() {
        #expect(throws: MetadataError.self) { _ = try AndroidRevocationList(json: Array("[]".utf8)) }
    }
}
