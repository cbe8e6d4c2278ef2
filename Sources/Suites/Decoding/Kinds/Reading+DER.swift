internal import Foundation
internal import RelyingParty
internal import SwiftASN1
internal import Trace
internal import WebAuthn

/// Structures in DER.
extension Reading {
    static func certificate(_ bytes: [UInt8]) -> Reading? {
        // A SEQUENCE with a length of two bytes, which every certificate needs.
        guard bytes.count > 4, bytes[0] == 0x30 else { return nil }
        let fits = (try? CertificateOutline(der: bytes)) != nil
        guard fits || (bytes[1] == 0x82 && bytes[4] == 0x30) else { return nil }
        return Reading(.certificate, fits: fits, [certificatePart(bytes, title: "certificate")])
    }

    static func certificatePart(_ der: [UInt8], title: String) -> DecodedPart {
        var part = DecodedPart(title: title, length: der.count)
        do {
            let outline = try CertificateOutline(der: der)
            part.fields = [
                .integer("version", outline.version), .bytes("serialNumber", outline.serialNumber),
                .text("subject", outline.subject), .text("issuer", outline.issuer),
                .text("valid", "\(day(outline.notBefore)) to \(day(outline.notAfter))"),
                .text("key", outline.key.algorithm), .text("signed with", outline.signatureAlgorithm),
            ]
            part.fields += outline.extensions.map { item in
                let model = item.name == "FIDO AAGUID" ? AAGUID(bytes: Array(item.value.dropFirst(2))) : nil
                let name = (item.name ?? item.identifier) + (item.isCritical ? ", critical" : "")
                return .bytes(name, item.value, meaning: model.map(ModelNames.words))
            }
            if outline.notAfter < outline.notBefore {
                part.problems.append(DecodingProblem("it ends before it begins", "RFC 5280 §4.1.2.5"))
            }
        } catch {
            part.problems = [DecodingProblem("the certificate cannot be read: \(error)", "RFC 5280 §4.1")]
        }
        return part
    }

    private static func day(_ date: Date) -> String { date.formatted(.iso8601.year().month().day()) }

    static func publicKey(_ bytes: [UInt8]) -> Reading? {
        guard bytes.first == 0x30, let key = try? KeyOutline(der: bytes) else { return nil }
        let part = DecodedPart(
            title: "public key", length: bytes.count,
            fields: [.text("algorithm", key.algorithm), .bytes("key", key.bytes)])
        return Reading(.publicKey, [part])
    }

    static func signature(_ bytes: [UInt8]) -> Reading? {
        guard bytes.first == 0x30, bytes.count <= 144,
            let numbers = try? DER.sequence(
                try DER.parse(bytes), identifier: .sequence,
                { nodes in
                    [try ArraySlice<UInt8>(derEncoded: &nodes), try ArraySlice<UInt8>(derEncoded: &nodes)]
                })
        else { return nil }
        var part = DecodedPart(title: "ECDSA signature", length: bytes.count)
        part.fields = zip(["r", "s"], numbers).map { .bytes($0, Array($1)) }
        if numbers.contains(where: { $0.allSatisfy { $0 == 0 } }) {
            part.problems.append(DecodingProblem("r or s is zero", "RFC 3279 §2.2.3"))
        }
        return Reading(.signature, [part])
    }
}
