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
    package let attestationKey: COSE.PrivateKey
    let signing: COSE.SigningMode
    /// The flaw in the statements; nil for none, ignored for kinds that cannot have it.
    public var flaw: AttestationFlaw?
    /// The device's serial number in enterprise attestation; nil omits it.
    public var enterpriseSerialNumber: [UInt8]?

    /// The serial number of every leaf; nil for one derived from the leaf's purpose.
    private let serialNumber: [UInt8]?

    /// Creates a maker.
    ///
    /// - Parameters:
    ///   - authority: the authority that issues the certificates.
    ///   - model: the model's AAGUID.
    ///   - signing: the source of the signatures' randomness.
    ///   - attestationKey: a key for ES256 that attests for the model; nil for the authority's own.
    ///   - serialNumber: the serial number of the leaves, a positive number, big-endian; nil for the authority's own.
    /// - Throws: ``AttestationError/unsuitableKey(_:)``, or the library's error when a key cannot be made.
    public init(
        authority: AttestationAuthority, model: AAGUID, signing: COSE.SigningMode,
        attestationKey: COSE.PrivateKey? = nil, serialNumber: [UInt8]? = nil
    ) throws {
        (self.authority, self.model, self.signing, self.serialNumber) = (authority, model, signing, serialNumber)
        self.attestationKey = try attestationKey ?? authority.key("attestation of \(model)")
        guard self.attestationKey.algorithm == .es256 else {
            throw AttestationError.unsuitableKey(self.attestationKey.algorithm)
        }
    }

    /// The vendor in its certificates.
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
        if case .map(var map) = value, case .statement(let edit)? = maker.effect {
            edit(&map)
            value = .map(map)
        }
        return Statement(format: kind.format, value: value)
    }

    /// The maker, without a flaw that the kind cannot have.
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
        case .tpm: try tpm(kind, subject, signer: attestationKey)
        case .tpmRS1: try tpm(kind, subject, signer: authority.tpmKey())
        case .androidKey: try androidKey(subject)
        case .apple: try apple(subject)
        case .compound: try compound(subject)
        }
    }

    /// The certificate and signature of a CTAP1 registration (FIDO U2F Raw Message Formats 1.2 §4.3).
    ///
    /// Flaws of `fido-u2f` statements apply to its one certificate; `certificate` is empty if the flaw removes it.
    ///
    /// - Throws: the library's error.
    public func u2fRegistration(over message: [UInt8]) throws -> (certificate: [UInt8], signature: [UInt8]) {
        let maker = limited(to: .fidoU2F)
        return (try maker.certificates(maker.u2fForm()).first ?? [], try maker.sign(message))
    }

    /// SHA-1 of the attestation key's point (RFC 5280 §4.2.1.2, method 1).
    ///
    /// Metadata identifies a model without AAGUID by it.
    public var keyIdentifier: [UInt8] { Array(Insecure.SHA1.hash(data: attestationKey.publicKey.rawRepresentation)) }

    var effect: AttestationFlaw.Effect? { flaw?.effect }

    /// Signs with a key, the model's by default, or as the flaw requires.
    func sign(_ message: [UInt8], with signer: COSE.PrivateKey? = nil) throws -> [UInt8] {
        let key = if case .otherSigner? = effect { try authority.key("unknown") } else { signer ?? attestationKey }
        return try key.sign(signedMessage(message), mode: signing.possible(for: key.algorithm))
    }

    func signedMessage(_ message: [UInt8]) -> [UInt8] {
        if case .otherData? = effect { message + [0] } else { message }
    }

    /// The value that binds a statement to its ceremony: another one if the flaw requires it.
    func binding(_ hash: [UInt8]) -> [UInt8] {
        if case .otherCeremony? = effect { [UInt8](repeating: 0, count: hash.count) } else { hash }
    }

    func describedKey(_ subject: AttestationSubject) throws -> COSE.PrivateKey {
        if case .otherCredential? = effect { try authority.key("unknown") } else { subject.privateKey }
    }

    func form(_ purpose: String, for key: COSE.PublicKey? = nil) -> CertificateForm {
        CertificateForm(
            authority.vendor, publicKey: key ?? attestationKey.publicKey,
            serialNumber: serialNumber ?? authority.serialNumber(purpose))
    }

    /// Its serial number is unique per issuer (RFC 5280 §4.1.2.2), and so derived from all parts that vary.
    func leafForm(_ kind: AttestationKind, for key: COSE.PublicKey? = nil) -> CertificateForm {
        let device = enterpriseSerialNumber.map { ", device \(Hex.encode($0))" } ?? ""
        var form = form("\(kind.rawValue) attestation of \(model)\(device)", for: key)
        if authority.vendor.namesModel { form.addModel(model.bytes) }
        if let enterpriseSerialNumber {
            // id-fido-gen-ce-sernum (WebAuthn L3 §8.2.2).
            form.add(
                [1, 3, 6, 1, 4, 1, 45724, 1, 1, 2], DER.Serializer.bytes { $0.octetString(enterpriseSerialNumber) })
        }
        return form
    }

    /// Leaf, intermediate and root if `isWhole`; otherwise, without a flaw, a leaf that the root issued.
    func path(_ form: CertificateForm, isWhole: Bool = false) throws -> CBOR.Value {
        .array(try certificates(form, isWhole: isWhole).map { .bytes($0) })
    }

    /// The certificate path of a kind's statements, leaf first, in DER.
    ///
    /// - Throws: the library's error.
    package func certificatePath(_ kind: AttestationKind) throws -> [[UInt8]] {
        let maker = limited(to: kind)
        return try maker.certificates(maker.leafForm(kind))
    }

    private func certificates(_ form: CertificateForm, isWhole: Bool = false) throws -> [[UInt8]] {
        var form = form
        if case .leaf(let edit)? = effect { try edit(&form) }
        if case .path(let path)? = effect { return try path(form, authority) }
        guard isWhole else { return [try authority.issue(form)] }
        let intermediate = try authority.intermediate()
        return [try intermediate.issue(form), intermediate.certificate, authority.rootCertificate]
    }
}

/// The reason a statement cannot be made.
public enum AttestationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The attestation key is not for ES256.
    case unsuitableKey(COSE.Algorithm)
    /// The kind does not support keys of this algorithm.
    case unsupported(AttestationKind, COSE.Algorithm)

    /// A sentence for the user.
    public var description: String {
        switch self {
        case .unsuitableKey(let algorithm): "attestation keys are for ES256, not \(algorithm)"
        case .unsupported(let kind, let algorithm): "\(kind.rawValue) cannot attest to a key for \(algorithm)"
        }
    }
}
