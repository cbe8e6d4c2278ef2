public import CBOR
public import COSE
internal import Crypto
internal import Foundation
internal import SwiftASN1
public import WebAuthn

/// Makes attestation statements for one model, with a key and a certificate that follow from the authority's seed.
public struct AttestationMaker: Sendable {
    let authority: AttestationAuthority
    let model: AAGUID
    /// The model's attestation key, shared by every device of the model as batch attestation has it.
    let attestationKey: COSE.PrivateKey
    /// Where signatures take their randomness from.
    let signing: COSE.SigningMode
    /// What is wrong with the statements, when something shall be; statements of a kind that cannot have it stay whole.
    public var flaw: AttestationFlaw?
    /// Tells one device of the model from another, in enterprise attestation; nil leaves serial numbers out.
    public var enterpriseSerialNumber: [UInt8]?

    /// The serial number of every leaf; nil for one that goes with what the leaf is for.
    private let serialNumber: [UInt8]?

    /// Makes a maker.
    ///
    /// - Parameters:
    ///   - attestationKey: a key for ES256 that attests for the model; nil for the authority's own.
    ///   - serialNumber: the serial number of the leaves, a positive number, big-endian; nil for the authority's own.
    /// - Throws: ``AttestationError/unsuitableKey(_:)``, or the library's error when a key cannot be made.
    public init(
        authority: AttestationAuthority, model: AAGUID, signing: COSE.SigningMode,
        attestationKey: COSE.PrivateKey? = nil, serialNumber: [UInt8]? = nil
    ) throws {
        self.authority = authority
        self.model = model
        self.signing = signing
        self.serialNumber = serialNumber
        self.attestationKey = try attestationKey ?? authority.key("attestation of \(model)")
        guard self.attestationKey.algorithm == .es256 else {
            throw AttestationError.unsuitableKey(self.attestationKey.algorithm)
        }
    }

    /// Whose certificates it issues.
    public var vendor: AttestationVendor { authority.vendor }

    /// A statement's format identifier and the statement.
    public struct Statement: Sendable {
        /// The statement format, such as `packed`.
        public let format: String
        /// The statement.
        public let value: CBOR.Value
    }

    /// Makes a statement.
    ///
    /// - Throws: ``AttestationError`` for a credential this kind cannot attest, or the library's error.
    public func statement(_ kind: AttestationKind, about subject: AttestationSubject) throws -> Statement {
        let algorithm = subject.privateKey.algorithm
        guard kind.attests(algorithm) else { throw AttestationError.unsupported(kind, algorithm) }
        let maker = limited(to: kind)
        var value = try maker.plainStatement(kind, about: subject)
        if case .map(var map) = value, let flaw = maker.flaw {
            flaw.edit(&map)
            value = .map(map)
        }
        return Statement(format: kind.format, value: value)
    }

    /// This maker without a flaw that the kind cannot have.
    private func limited(to kind: AttestationKind) -> AttestationMaker {
        guard let flaw, !flaw.description.kinds.contains(kind) else { return self }
        var maker = self
        maker.flaw = nil
        return maker
    }

    private func plainStatement(_ kind: AttestationKind, about subject: AttestationSubject) throws -> CBOR.Value {
        switch kind {
        case .none: [:]
        case .packed: try packedSelf(subject)
        case .packedBasic: try packedBasic(subject)
        case .fidoU2F: try fidoU2F(subject)
        case .tpm: try tpm(subject)
        case .androidKey: try androidKey(subject)
        case .apple: try apple(subject)
        case .compound: try compound(subject)
        }
    }

    /// The certificate and signature of a CTAP1 registration (FIDO U2F Raw Message Formats 1.2 §4.3).
    ///
    /// What is wrong with `fido-u2f` statements is wrong with it too, as far as its one certificate goes; where there
    /// is none, `certificate` is empty.
    ///
    /// - Throws: the library's error.
    public func u2fRegistration(over message: [UInt8]) throws -> (certificate: [UInt8], signature: [UInt8]) {
        let maker = limited(to: .fidoU2F)
        return (try maker.certificates(maker.u2fForm()).first ?? [], try maker.sign(message))
    }

    /// SHA-1 of the attestation key's point, 20 bytes: by it metadata tells the model where it has no AAGUID (RFC 5280
    /// §4.2.1.2, method 1).
    public var keyIdentifier: [UInt8] {
        Array(Insecure.SHA1.hash(data: attestationKey.publicKey.rawRepresentation))
    }

    /// Signs with the model's key, or falsely.
    func sign(_ message: [UInt8]) throws -> [UInt8] {
        switch flaw {
        case .otherKey: try authority.key("nobody's").sign(message, mode: signing)
        case .wrongSignature: try attestationKey.sign(message + [0], mode: signing)
        default: try attestationKey.sign(message, mode: signing)
        }
    }

    /// A leaf for a purpose, for the model's key unless another is given.
    func form(_ purpose: String, for key: COSE.PublicKey? = nil) -> CertificateForm {
        CertificateForm(
            authority.vendor, publicKey: key ?? attestationKey.publicKey,
            serialNumber: serialNumber ?? authority.serialNumber(purpose))
    }

    /// The model's leaf as it should be.
    ///
    /// No two certificates of an issuer have one serial number (RFC 5280 §4.1.2.2), so it goes with all that differs.
    func leafForm(_ kind: AttestationKind) -> CertificateForm {
        let device = enterpriseSerialNumber.map { ", device \(Hex.encode($0))" } ?? ""
        var form = form("\(kind.rawValue) attestation of \(model)\(device)")
        if authority.vendor.namesModel { form.addModel(model) }
        if let enterpriseSerialNumber {
            // id-fido-gen-ce-sernum (WebAuthn L3 §8.2.2).
            form.add(
                [1, 3, 6, 1, 4, 1, 45724, 1, 1, 2], DER.Serializer.bytes { $0.octetString(enterpriseSerialNumber) })
        }
        return form
    }

    /// The path a leaf stands at the head of: as a rule the leaf alone, since the root is the relying party's to know.
    func path(_ form: CertificateForm) throws -> CBOR.Value {
        .array(try certificates(form).map { .bytes($0) })
    }

    private func certificates(_ form: CertificateForm) throws -> [[UInt8]] {
        var form = form
        try flaw?.edit(&form, authority)
        return try flaw?.path(form, authority) ?? [authority.issue(form)]
    }
}

/// A statement could not be made.
public enum AttestationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Attestation keys are for ES256, not for this.
    case unsuitableKey(COSE.Algorithm)
    /// The kind has no way to speak of keys of this algorithm.
    case unsupported(AttestationKind, COSE.Algorithm)

    /// A sentence for the user.
    public var description: String {
        switch self {
        case .unsuitableKey(let algorithm): "attestation keys are for ES256, not \(algorithm)"
        case .unsupported(let kind, let algorithm): "\(kind.rawValue) cannot attest to a key for \(algorithm)"
        }
    }
}

func sha256(_ bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }
