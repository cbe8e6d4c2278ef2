internal import Conformance
internal import Documents
internal import WebAuthn

/// A change of a response's JSON, and the right answer of a relying party.
struct ResponseRow: Sendable {
    let name: String
    /// The change, as a noun phrase after "with".
    let what: String
    let outcome: CeremonyOutcome
    let level: Level
    let clause: Clause?
    let change: @Sendable (inout JSONValue) -> Void

    init(
        _ name: String, _ what: String, _ outcome: CeremonyOutcome = .refused, level: Level = .must,
        clause: Clause? = nil, _ change: @escaping @Sendable (inout JSONValue) -> Void
    ) {
        self.name = name
        self.what = what
        self.outcome = outcome
        self.level = level
        self.clause = clause
        self.change = change
    }

    func conformanceCase(_ ceremony: TestedCeremony) -> Case {
        let clause = clause ?? SharedStep.instance.clause(ceremony)
        let id = "response.\(name)"
        return switch ceremony {
        case .registration:
            .registration(id, with: what, is: outcome, clause, level: level) { [change] in $0.changeResponse = change }
        case .assertion:
            .assertion(id, with: what, is: outcome, clause, level: level) { [change] in $0.changeResponse = change }
        }
    }

    static func all(_ ceremony: TestedCeremony) -> [ResponseRow] {
        let members =
            ceremony == .registration
            ? ["clientDataJSON", "attestationObject"] : ["clientDataJSON", "authenticatorData", "signature"]
        return outer + tolerated + response + members.flatMap(bytes)
    }

    /// The members of the form of §5.1.8, which the verification itself does not compare.
    private static let json = Clause.webauthn("5.1.8")

    private static let outer: [ResponseRow] =
        ["id", "rawId", "type"].flatMap { name in
            [
                ResponseRow("\(name).missing", "a response without \(name)", level: .should, clause: json) {
                    $0.set(name, to: nil)
                },
                ResponseRow("\(name).null", "a response whose \(name) is null", level: .should, clause: json) {
                    $0.set(name, to: .null)
                },
                ResponseRow("\(name).number", "a response whose \(name) is a number", level: .should, clause: json) {
                    $0.set(name, to: 1)
                },
                ResponseRow("\(name).empty", "a response whose \(name) is empty", level: .should, clause: json) {
                    $0.set(name, to: "")
                },
            ]
        } + [
            ResponseRow(
                "type.other", "a response of another credential type", level: .should, clause: .webauthn("5.8.2")
            ) {
                $0.set("type", to: "password")
            },
            ResponseRow("type.case", "a response whose type is in capitals", level: .should, clause: .webauthn("5.8.2"))
            {
                $0.set("type", to: "PUBLIC-KEY")
            },
            ResponseRow("id.other", "a response whose id is not rawId", level: .should, clause: .webauthn("5.1")) {
                $0.set("id", to: .text(Base64URL.encode([UInt8](repeating: 0xA5, count: 32))))
            },
            ResponseRow("rawId.other", "a response whose rawId is not id", level: .should, clause: .webauthn("5.1")) {
                $0.set("rawId", to: .text(Base64URL.encode([UInt8](repeating: 0xA5, count: 32))))
            },
            ResponseRow("id.padded", "a response whose id is padded", level: .may, clause: .webauthn("5.1.8")) {
                $0.set("id", to: .text(($0["id"]?.text ?? "") + "="))
            },
        ]

    private static let tolerated: [ResponseRow] = [
        .init("unknownMember", "an unknown member in the response", .accepted, clause: json) {
            $0.set("newMember", to: ["added": "by a later version"])
        },
        .init("unknownMember.inner", "an unknown member inside response", .accepted, clause: json) {
            $0.set("response", "newMember", to: "added by a later version")
        },
        .init(
            "authenticatorAttachment.unknown", "an unknown authenticatorAttachment", .accepted, level: .should,
            clause: .webauthn("5.1")
        ) {
            $0.set("authenticatorAttachment", to: "inside-the-user")
        },
        .init(
            "authenticatorAttachment.missing", "a response without authenticatorAttachment", .accepted, clause: json
        ) {
            $0.set("authenticatorAttachment", to: nil)
        },
        .init(
            "clientExtensionResults.unknown", "the output of an unknown client extension", .accepted, level: .should,
            clause: .webauthn("9")
        ) {
            $0.set("clientExtensionResults", "example.unknown", to: ["value": 1])
        },
    ]

    private static let response: [ResponseRow] = [
        .init("response.missing", "a response without response") { $0.set("response", to: nil) },
        .init("response.null", "a response whose response is null") { $0.set("response", to: .null) },
        .init("response.text", "a response whose response is a text") { $0.set("response", to: "e30") },
        .init("response.array", "a response whose response is an array") { $0.set("response", to: []) },
        .init("response.empty", "a response whose response has no members") { $0.set("response", to: [:]) },
        .init("empty", "a response without members") { $0 = [:] },
        .init("array", "a response that is an array") { $0 = [$0] },
    ]

    /// The other members are too short to have always a letter in which the alphabets differ.
    private static func standardBase64(_ name: String) -> ResponseRow {
        ResponseRow(
            "\(name).standardBase64", "a response whose \(name) is in the standard alphabet of base64", level: .may,
            clause: .webauthn("3")
        ) { response in
            let text = response["response"]?[name]?.text ?? ""
            response.set(
                "response", name, to: .text(text.replacing("-", with: "+").replacing("_", with: "/")))
        }
    }

    private static func bytes(_ name: String) -> [ResponseRow] {
        let values: [(String, String, JSONValue?)] = [
            ("missing", "response without \(name)", nil), ("null", "response whose \(name) is null", .null),
            ("number", "response whose \(name) is a number", 1), ("array", "response whose \(name) is an array", []),
            ("object", "response whose \(name) is an object", [:]), ("empty", "response whose \(name) is empty", ""),
            ("notBase64", "response whose \(name) is not base64url", "!not base64url!"),
        ]
        return values.map { suffix, words, value in
            ResponseRow("\(name).\(suffix)", "a \(words)") { $0.set("response", name, to: value) }
        } + [
            ResponseRow("\(name).truncated", "a response whose \(name) lacks its last bytes") { response in
                let text = response["response"]?[name]?.text ?? ""
                response.set("response", name, to: .text(String(text.dropLast(8))))
            },
            // The form has no padding and another alphabet (WebAuthn L3 §3); a lenient reader sees the same bytes.
            ResponseRow("\(name).padded", "a response whose \(name) is padded", level: .may, clause: .webauthn("3")) {
                response in
                let text = response["response"]?[name]?.text ?? ""
                response.set("response", name, to: .text(text + String(repeating: "=", count: 4 - text.count % 4)))
            },
        ] + (name == "attestationObject" ? [standardBase64(name)] : [])
    }
}
