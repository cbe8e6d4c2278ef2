import Attestation
import AttestationSamples
import CBOR
import COSE
import RelyingParty
import SwiftASN1
import Testing
import WebAuthn
import X509

/// The test CA: the values derived from its seed, and its certificates.
struct AuthorityTests {
    private let authority: AttestationAuthority

    init() throws {
        authority = try AttestationAuthority()
    }

    private static let certified: [AttestationKind] = [.packedBasic, .fidoU2F, .tpm, .androidKey, .apple]
    /// ML-DSA signatures always have fresh randomness.
    private static let repeating = Attested.all.filter { attested in
        attested.kind != .packed || ![.mlDSA65, .mlDSA87].contains(attested.algorithm)
    }

    @Test(arguments: repeating)
    func theSameSeedGivesTheSameBytes(_ attested: Attested) throws {
        let samples = try (0..<2).map { _ in
            try AttestationSample(
                attested.kind, algorithm: attested.algorithm, authority: AttestationAuthority(seed: Array("seed".utf8)))
        }
        #expect(samples[0].object.encoded == samples[1].object.encoded)
    }

    @Test(arguments: Flawed.all)
    func theSameSeedGivesTheSameFlawedBytes(_ flawed: Flawed) throws {
        let samples = try (0..<2).map { _ in
            try AttestationSample(flawed.kind, flaw: flawed.flaw, authority: AttestationAuthority())
        }
        #expect(samples[0].object.encoded == samples[1].object.encoded)
    }

    @Test(arguments: certified)
    func anotherSeedGivesOtherBytes(_ kind: AttestationKind) throws {
        let other = try AttestationAuthority(seed: Array("another".utf8))
        #expect(other.rootCertificate != authority.rootCertificate)
        #expect(other.rootPEM != authority.rootPEM)
        let certificates = try [authority, other].map { try AttestationSample(kind, authority: $0).certificates }
        #expect(certificates[0] != certificates[1])
    }

    @Test(arguments: [0, 1, 1000])
    func aSeedMayHaveAnyLength(_ length: Int) throws {
        let seed = [UInt8](repeating: 0x5A, count: length)
        let sample = try AttestationSample(.packedBasic, authority: AttestationAuthority(seed: seed))
        #expect(try sample.certificates.count == 1)
    }

    @Test func theRootIsASelfSignedAuthority() throws {
        let root = try Certificate(derEncoded: authority.rootCertificate)
        #expect(root.issuer == root.subject)
        #expect(root.publicKey.isValidSignature(root.signature, for: root))
        #expect(try root.extensions.basicConstraints == .isCertificateAuthority(maxPathLength: nil))
        #expect(try root.extensions.keyUsage == KeyUsage(keyCertSign: true, cRLSign: true))
        #expect(try root.extensions.subjectKeyIdentifier == SubjectKeyIdentifier(hash: root.publicKey))
        #expect(try Certificate(pemEncoded: authority.rootPEM) == root)
        #expect(try AttestationAuthority().rootCertificate == authority.rootCertificate)
    }

    @Test(arguments: certified)
    func aPathLeadsFromTheLeafToTheRoot(_ kind: AttestationKind) throws {
        let root = try Certificate(derEncoded: authority.rootCertificate)
        let path = try AttestationSample(kind, authority: authority).certificates.map(Certificate.init(derEncoded:))
        // Android sends the whole path, the other formats the leaf.
        let isWhole = kind == .androidKey || kind == .compound
        #expect(path.count == (isWhole ? 3 : 1))
        if isWhole { #expect(path.last == root) }
        for (certificate, issuer) in zip(path, path.dropFirst() + [root]) {
            #expect(certificate.version == .v3)
            #expect(certificate.issuer == issuer.subject)
            #expect(issuer.publicKey.isValidSignature(certificate.signature, for: certificate))
            #expect((1...20).contains(certificate.serialNumber.bytes.count))
            guard certificate != root else { continue }
            #expect(certificate.serialNumber != issuer.serialNumber)
            #expect(
                try certificate.extensions.authorityKeyIdentifier?.keyIdentifier
                    == issuer.extensions.subjectKeyIdentifier?.keyIdentifier)
        }
        #expect(try path.first?.extensions.basicConstraints == .notCertificateAuthority)
    }

    @Test func everyModelHasItsOwnKey() throws {
        let models = try (1...2).map { try #require(AAGUID(bytes: [UInt8](repeating: $0, count: 16))) }
        let registrations = try models.map {
            try AttestationMaker(authority: authority, model: $0, signing: .deterministic).u2fRegistration(over: [1])
        }
        #expect(registrations[0].certificate != registrations[1].certificate)
        #expect(registrations[0].signature != registrations[1].signature)
    }

    @Test(arguments: [AttestationKind.packedBasic, .tpm, .tpmRS1, .compound])
    func anEnterpriseStatementCarriesTheSerialNumber(_ kind: AttestationKind) throws {
        let serialNumber: [UInt8] = Array("device 000042".utf8)
        let plain = try packedLeaf(AttestationSample(kind, authority: authority))
        let enterprise = try packedLeaf(
            AttestationSample(kind, authority: authority) { $0.enterpriseSerialNumber = serialNumber })
        // id-fido-gen-ce-sernum (WebAuthn L3 §8.2.2).
        let identifier: ASN1ObjectIdentifier = [1, 3, 6, 1, 4, 1, 45724, 1, 1, 2]
        #expect(plain.extensions[oid: identifier] == nil)
        let found = try #require(enterprise.extensions[oid: identifier])
        #expect(!found.critical)
        #expect(Array(try ASN1OctetString(derEncoded: Array(found.value)).bytes) == serialNumber)
    }

    @Test(arguments: [1, 127, 128, 255, 256, 70_000])
    func anEnterpriseStatementIsTrustedWithASerialNumberOfAnyLength(_ length: Int) async throws {
        let sample = try AttestationSample(.packedBasic, authority: authority) {
            $0.enterpriseSerialNumber = [UInt8](repeating: 7, count: length)
        }
        #expect(await Verdicts.verdict(sample, trusting: authority).credential?.isAttestationTrusted == true)
    }

    @Test(
        arguments: [
            (nil, true), (.expired, true), (.emptyPath, false), (.garbageCertificate, false), (.tpmMagic, true),
        ] as [(AttestationFlaw?, Bool)])
    func aU2FRegistrationHasTheCertificateOfAStatement(_ flaw: AttestationFlaw?, isReadable: Bool) throws {
        let sample = try AttestationSample(.fidoU2F, flaw: flaw, authority: authority)
        var maker = try AttestationMaker(authority: authority, model: .zero, signing: .deterministic)
        maker.flaw = flaw
        let (certificate, signature) = try maker.u2fRegistration(over: [1, 2, 3])
        #expect(try certificate == sample.certificates.first ?? [])
        guard isReadable else { return }
        let key = try COSE.PublicKey(
            algorithm: .es256, subjectPublicKeyInfo: publicKey(Certificate(derEncoded: certificate)))
        #expect(key.verify(signature, over: [1, 2, 3]))
    }

    private func publicKey(_ certificate: Certificate) throws -> [UInt8] {
        var serializer = DER.Serializer()
        try serializer.serialize(certificate.publicKey)
        return serializer.serializedBytes
    }

    private func packedLeaf(_ sample: AttestationSample) throws -> Certificate {
        var statement = sample.object.statement
        if case .array(let parts) = statement {
            statement = try #require(parts.first).asMap("part").required("attStmt", "attStmt")
        }
        let path = try statement.asMap("attStmt").required("x5c", "x5c").asArray("x5c")
        return try Certificate(derEncoded: try #require(path.first).asBytes("x5c"))
    }
}
