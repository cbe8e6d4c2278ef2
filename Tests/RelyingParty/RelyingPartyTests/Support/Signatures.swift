import Crypto
import Testing

func sha256(_ bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }

/// An ECDSA signature as its two numbers' content bytes, for wrong encodings.
struct ECDSAForm {
    var r: [UInt8]
    var s: [UInt8]

    init(_ der: [UInt8]) throws {
        let start = try #require(der.count > 8 && der[0] == 0x30 ? (der[1] == 0x81 ? 3 : 2) : nil)
        let rLength = Int(der[start + 1])
        r = Array(der[start + 2..<start + 2 + rLength])
        let sStart = start + 2 + rLength
        s = Array(der[sStart + 2..<sStart + 2 + Int(der[sStart + 1])])
    }

    var encoded: [UInt8] {
        let content = [0x02, UInt8(r.count)] + r + [0x02, UInt8(s.count)] + s
        return [0x30] + (content.count < 128 ? [] : [0x81]) + [UInt8(content.count)] + content
    }

    static func edited(_ der: [UInt8], _ edit: (inout ECDSAForm) -> Void) throws -> [UInt8] {
        var form = try ECDSAForm(der)
        edit(&form)
        return form.encoded
    }
}

/// A change that breaks an ECDSA signature.
struct ECDSABreakage: Sendable {
    let name: String
    let edit: @Sendable ([UInt8]) throws -> [UInt8]

    /// No result is one DER-encoded pair of positive numbers.
    static let malformed: [ECDSABreakage] = [
        ECDSABreakage(name: "a byte after the DER signature") { $0 + [0x00] },
        ECDSABreakage(name: "a padded integer, as BER allows") { try ECDSAForm.edited($0) { $0.r = [0] + $0.r } },
        ECDSABreakage(name: "r is zero") { try ECDSAForm.edited($0) { $0.r = [0] } },
        ECDSABreakage(name: "s is zero") { try ECDSAForm.edited($0) { $0.s = [0] } },
        ECDSABreakage(name: "a negative r") { try ECDSAForm.edited($0) { $0.r = [0x80] + $0.r.dropFirst() } },
        ECDSABreakage(name: "a length in too many bytes") {
            [0x30, 0x82, 0x00] + ($0[1] == 0x81 ? $0[2...] : $0[1...])
        },
        ECDSABreakage(name: "indefinite length, as BER allows") {
            let form = try ECDSAForm($0)
            return [0x30, 0x80, 0x02, UInt8(form.r.count)] + form.r + [0x02, UInt8(form.s.count)] + form.s + [0, 0]
        },
        ECDSABreakage(name: "r and s side by side, without DER") {
            let form = try ECDSAForm($0)
            return form.r.suffix(32) + form.s.suffix(32)
        },
        ECDSABreakage(name: "an empty signature") { _ in [] },
    ]
}
