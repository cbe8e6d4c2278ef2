internal import CTAP
internal import Documents
internal import Trace
internal import WebAuthn

/// A JSON Web Key (RFC 7517, RFC 7518 §6, RFC 8037).
enum JSONWebKey {
    private static let clause = "RFC 7518 §6"
    /// The lengths in bytes of a coordinate on each curve.
    private static let curves = ["P-256": 32, "P-384": 48, "P-521": 66, "secp256k1": 32, "Ed25519": 32, "X25519": 32]
    private static let needed = [
        "EC": ["crv", "x", "y"], "OKP": ["crv", "x"], "RSA": ["n", "e"], "AKP": ["alg", "pub"],
    ]
    private static let secrets: Set = ["d", "p", "q", "dp", "dq", "qi", "k", "priv"]
    private static let numbers: Set = ["x", "y", "n", "e", "pub"]

    /// The key; nil for another document.
    static func part(_ value: JSONValue) -> DecodedPart? {
        guard let members = value.object, case .text(let type)? = members["kty"] else { return nil }
        var part = DecodedPart(title: "JSON Web Key", length: 0)
        var point: [String: [UInt8]] = [:]
        let curve: String? = if case .text(let name)? = members["crv"] { name } else { nil }
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            guard case .text(let text) = value else { continue }
            guard numbers.contains(name) || secrets.contains(name) else {
                part.fields.append(.text(name, text))
                continue
            }
            guard let bytes = Base64URL.decode(text) else {
                part.problems.append(DecodingProblem("\(name) is not base64url without padding", "RFC 7515 §2"))
                continue
            }
            point[name] = bytes
            var field = TraceField.bytes(name, bytes)
            if secrets.contains(name) { field.secret = .declared }
            part.fields.append(field)
            if ["x", "y"].contains(name), let length = curve.flatMap({ curves[$0] }), bytes.count != length {
                part.problems.append(
                    DecodingProblem("\(name) has \(bytes.count) bytes, not \(length)", "RFC 7518 §6.2.1"))
            }
        }
        if let needed = needed[type] {
            part.problems += needed.filter { members[$0] == nil }.map { DecodingProblem("\($0) is missing", clause) }
        } else if type != "oct" {
            part.problems.append(DecodingProblem("no specification names the key type \(type)", clause))
        }
        if type == "EC", let x = point["x"], let y = point["y"], x.count == y.count,
            let reading = Reading.point([4] + x + y), !reading.fits
        {
            part.problems.append(DecodingProblem("the point is not on the curve", "SEC 1 §3.2.2.1"))
        }
        if members.keys.contains(where: secrets.contains) {
            part.problems.append(DecodingProblem("it has the private key", "RFC 7517 §9.2"))
        }
        return part
    }
}
