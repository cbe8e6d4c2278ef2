import Attestation
import AttestationSamples
import COSE
import Foundation
import TestSupport
import Testing
import WebAuthn

extension Interop {
    /// The relying-party library `webauthn` of PyPI.
    @Suite struct PythonWebAuthnTests {
        private let authority: AttestationAuthority

        init() throws {
            authority = try AttestationAuthority()
        }

        private func verdicts(_ samples: [AttestationSample]) async throws -> [String] {
            let requested = Requested(
                root: authority.rootPEM, rpID: AttestationSample.relyingPartyID, origin: AttestationSample.origin,
                registrations: samples.map {
                    Requested.Registration(
                        challenge: Base64URL.encode($0.challenge), id: Base64URL.encode($0.credentialID),
                        clientData: Base64URL.encode($0.clientDataJSON), object: Base64URL.encode($0.object.encoded))
                })
            let script = try String(
                contentsOf: Script.directory.appending(path: "webauthn_attestation.py"), encoding: .utf8)
            let output = try await Python.run(
                script: script, standardInput: String(decoding: try JSONEncoder().encode(requested), as: UTF8.self))
            return try JSONDecoder().decode([String].self, from: Data(output.standardOutput.utf8))
        }

        /// Android's statement with the whole path, the TPM's with a registered manufacturer, and Windows' with RS1.
        @Test func statementsAreVerified() async throws {
            let kinds: [AttestationKind] = [
                .none, .packed, .packedBasic, .fidoU2F, .tpm, .tpmRS1, .androidKey, .apple,
            ]
            let samples = try kinds.flatMap { kind in
                try [COSE.Algorithm.es256, .rs256].filter(kind.attests).map { algorithm in
                    (kind, try AttestationSample(kind, algorithm: algorithm, authority: authority))
                }
            }
            #expect(try await verdicts(samples.map(\.1)) == samples.map(\.0.format))
        }

        @Test func flawsAreRefused() async throws {
            let cases: [(AttestationFlaw, AttestationKind, String)] = [
                (.tpmManufacturer, .tpm, "Unrecognized TPM Manufacturer"),
                (.tpmManufacturer, .tpmRS1, "Unrecognized TPM Manufacturer"),
                (.tpmExtraData, .tpmRS1, "extra data did not match"),
                (.wrongSignature, .tpmRS1, "Could not verify attestation statement signature"),
                (.otherKey, .tpmRS1, "Could not verify attestation statement signature"),
                (.wrongSignature, .androidKey, "Could not verify attestation statement signature"),
                (.ownRoot, .androidKey, "not a known root certificate"),
                (.expired, .androidKey, "Certificate chain could not be validated"),
                (.androidChallenge, .androidKey, "attestationChallenge field was not the same"),
                (.androidOtherKey, .androidKey, "Certificate public key did not match"),
            ]
            let samples = try cases.map { flaw, kind, _ in
                try AttestationSample(kind, flaw: flaw, authority: authority)
            }
            for ((flaw, kind, reason), verdict) in zip(cases, try await verdicts(samples)) {
                #expect(verdict.hasPrefix("refused: "), "\(flaw) of \(kind): \(verdict)")
                #expect(verdict.contains(reason), "\(flaw) of \(kind)")
            }
        }
    }
}

private struct Requested: Encodable {
    struct Registration: Encodable {
        let challenge: String
        let id: String
        let clientData: String
        let object: String
    }

    let root: String
    let rpID: String
    let origin: String
    let registrations: [Registration]
}
