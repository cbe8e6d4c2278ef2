internal import Attestation
internal import CTAP
internal import Conformance
internal import Documents
internal import WebAuthn

extension MetadataCases {
    /// The protection of keys and matcher, and the connections.
    @CaseTable static var protection: [Case] {
        member("keyProtection", "The protection of keys is registered and consistent.") { bench, value in
            let known = Set(MetadataStatement.KeyProtection.allCases.map(\.rawValue))
            let found = Set(try names(value, of: known, bench))
            expectOneKind(found, inHardware: ["hardware", "tee", "secure_element"], bench)
            bench.expect(
                found.isDisjoint(with: ["tee", "secure_element"]) || found.contains("hardware"),
                "hardware beside tee and secure_element", seen: words(value))
        }
        member("matcherProtection", "The protection of the matcher is registered and consistent.") { bench, value in
            let known = Set(MetadataStatement.MatcherProtection.allCases.map(\.rawValue))
            expectOneKind(Set(try names(value, of: known, bench)), inHardware: ["tee", "on_chip"], bench)
        }
        member("cryptoStrength", "The strength is a number of bits.", isRequired: false) { bench, value in
            bench.expect((1...65535).contains(value.integer ?? 0), "bits from 1 to 65535", seen: words(value))
        }
        member("attachmentHint", "The connections are registered and consistent.", isRequired: false) { bench, value in
            let known = Set(MetadataStatement.Attachment.allCases.map(\.rawValue))
            let found = Set(try names(value, of: known, bench))
            bench.expect(
                found.contains("internal") != found.contains("external"), "internal or external", seen: words(value))
        }
        member(
            "attachmentHint", part: "plat", "The authenticator is internal where getInfo has plat.", isRequired: false,
            needs: [.ctap2]
        ) { bench, value in
            let place = bench.has(.plat) ? "internal" : "external"
            bench.expect(try texts(value, bench).contains(place), place, seen: words(value))
        }
        member(
            "attachmentHint", part: "transports", "The connections are the transports of getInfo.", isRequired: false,
            needs: [.member(.transports)]
        ) { bench, value in
            let transports = bench.info.transports ?? []
            let stated = try texts(value, bench).filter { connections.values.contains($0) }
            bench.expect(stated, toEqual: transports.compactMap { connections[$0.rawValue] }, "the connections")
        }
    }

    /// The hints of transports that have one of their own.
    private static let connections = ["usb": "wired", "nfc": "nfc", "ble": "bluetooth"]

    private static func expectOneKind(_ found: Set<String>, inHardware: Set<String>, _ bench: AuthenticatorBench) {
        bench.expect(
            !found.contains("software") || found.isDisjoint(with: inHardware), "software or hardware",
            seen: found.sorted().joined(separator: ", "))
    }
}
