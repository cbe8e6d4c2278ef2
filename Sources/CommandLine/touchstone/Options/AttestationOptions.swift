public import ArgumentParser
import Attestation
import Foundation
package import RelyingParty
import SwiftASN1

/// The relying party's policy for attestation.
struct AttestationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Trust attestation under this root certificate only: a PEM file, or 'touchstone' for the simulated \
            devices' root. Repeatable.
            """, valueName: "root"))
    var trust: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            A rule for attestation statements beyond those of their formats; see docs/attestation.md. Repeatable.
            """, valueName: "rule"))
    var attestationRule: [AttestationRule] = []

    /// The policy; without trusted roots it does not assess certificate paths.
    func policy() throws -> AttestationPolicy {
        var policy = AttestationPolicy.notAssessed
        if !trust.isEmpty {
            policy.trustAnchors = TrustAnchors(forAllModels: try trust.flatMap(Self.certificates))
        }
        policy.rules = Set(attestationRule)
        return policy
    }

    /// The certificates of a PEM file, in DER.
    private static func certificates(_ root: String) throws -> [[UInt8]] {
        guard root != "touchstone" else { return [try AttestationAuthority().rootCertificate] }
        do {
            let documents = try PEMDocument.parseMultiple(pemString: String(contentsOfFile: root, encoding: .utf8))
            guard !documents.isEmpty, documents.allSatisfy({ $0.discriminator == "CERTIFICATE" }) else {
                throw CommandError("\(root): expected certificates in PEM", .badInput)
            }
            return documents.map(\.derBytes)
        } catch let error as CommandError {
            throw error
        } catch is CocoaError {
            throw CommandError("\(root): the file cannot be read", .badInput)
        } catch {
            throw CommandError("\(root): expected certificates in PEM: \(error)", .badInput)
        }
    }
}

extension AttestationRule: ExpressibleByArgument {}
