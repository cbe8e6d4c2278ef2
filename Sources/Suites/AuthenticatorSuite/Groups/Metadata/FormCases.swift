internal import CTAP
internal import Conformance
internal import Documents
internal import Foundation
internal import Machine

extension MetadataCases {
    static func isFIDO2(_ bench: AuthenticatorBench) -> Bool {
        bench.info.versions.contains { $0.hasPrefix("FIDO_2_") }
    }

    /// Members with a form of their own.
    @CaseTable static var forms: [Case] {
        member("legalHeader", "The statement has its legal header.") { bench, value in
            bench.expect(value.text?.isEmpty == false, "a text", seen: words(value))
        }
        member("description", "The description has 1 to 200 characters.") { bench, value in
            bench.expect((1...200).contains(value.text?.count ?? 0), "1 to 200 characters", seen: words(value))
        }
        member("schema", "The schema is 3.") { bench, value in bench.expect(value == 3, "3", seen: words(value)) }
        member("protocolFamily", "The protocol family is that of the authenticator.") { bench, value in
            let family = isFIDO2(bench) ? "fido2" : "u2f"
            bench.expect(value.text == family, family, seen: words(value))
        }
        member("aaguid", "The AAGUID is that of getInfo.", needs: [.ctap2]) { bench, value in
            bench.expect(value.text == "\(bench.info.aaguid)", "\(bench.info.aaguid)", seen: words(value))
        }
        statement("aaid", "A statement about CTAP2 has neither AAID nor key identifiers.", needs: [.ctap2]) {
            bench, statement in
            for name in ["aaid", "attestationCertificateKeyIdentifiers"] {
                bench.expect(statement[name] == nil, "no \(name)", seen: words(statement[name]))
            }
        }
        member("alternativeDescriptions", "Alternative descriptions are texts by language.", isRequired: false) {
            bench, value in
            let languages = value.object ?? [:]
            bench.expect(
                !languages.isEmpty && languages.allSatisfy { isLanguage($0.key) && $0.value.text != nil },
                "texts by language tag", seen: words(value))
        }
        member("icon", "The icon is a PNG image in a data URL.", isRequired: false) { bench, value in
            let prefix = "data:image/png;base64,"
            let image = value.text.flatMap { text in
                text.hasPrefix(prefix) ? Data(base64Encoded: String(text.dropFirst(prefix.count))) : nil
            }
            bench.expect(image?.starts(with: PNG.signature) == true, "a PNG image", seen: words(value))
        }
        member("tcDisplay", "The capabilities of a display are known.") { bench, value in
            let known: Set = ["any", "privileged_software", "tee", "hardware", "remote"]
            let unknown = try texts(value, bench).filter { !known.contains($0) }
            bench.expect(unknown.isEmpty, "registered names", seen: unknown.joined(separator: ", "))
        }
        statement("tcDisplayContentType", "A display has a content type, and only a display.") { bench, statement in
            let hasDisplay = statement["tcDisplay"]?.array?.isEmpty == false
            bench.expect(
                hasDisplay == (statement["tcDisplayContentType"]?.text != nil),
                hasDisplay ? "a content type" : "no content type", seen: words(statement["tcDisplayContentType"]))
        }
        for name in ["isKeyRestricted", "isFreshUserVerificationRequired"] {
            member(name, "The member \(name) is true or false.", isRequired: false) { bench, value in
                bench.expect(value.bool != nil, "true or false", seen: words(value))
            }
        }
    }

    private static func isLanguage(_ tag: String) -> Bool {
        tag.wholeMatch(of: /[a-z]{2,3}(-[A-Za-z0-9]{2,8})*/) != nil
    }
}
