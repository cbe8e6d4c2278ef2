internal import Attestation
internal import CBOR
internal import Conformance

/// The cases of a TPM's structures, signed again after the change (WebAuthn L3 §8.3).
enum TPMCases {
    private static func certInfo(
        _ name: String, _ what: String, _ change: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) -> [Case] {
        AttestedFormat.all.filter { $0.kind == .tpm }.map { format in
            format.statement("certInfo.\(name)", " whose certInfo \(what)") { map, sign in
                guard case .bytes(let bytes)? = map["certInfo"] else { return }
                let changed = change(bytes)
                map["certInfo"] = .bytes(changed)
                map["sig"] = .bytes(try sign(changed))
            }
        }
    }

    private static func pubArea(
        _ name: String, _ what: String, level: Level = .must, _ change: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) -> [Case] {
        AttestedFormat.all.filter { $0.kind == .tpm }.map { format in
            format.statement("pubArea.\(name)", " whose pubArea \(what)", level: level) { map, _ in
                if case .bytes(let bytes)? = map["pubArea"] { map["pubArea"] = .bytes(change(bytes)) }
            }
        }
    }

    private static func replacing(_ bytes: [UInt8], at place: Int, _ other: [UInt8]) -> [UInt8] {
        guard bytes.count >= place + other.count else { return bytes }
        return bytes[..<place] + other + bytes[(place + other.count)...]
    }

    static let all: [Case] =
        certInfo("quote", "is a quote, not a certification") { replacing($0, at: 4, [0x80, 0x18]) }
        + certInfo("magic", "has the magic number 0") { replacing($0, at: 0, [0, 0, 0, 0]) }
        + certInfo("empty", "is empty") { _ in [] }
        + certInfo("truncated", "ends early") { Array($0.dropLast(10)) }
        + certInfo("head", "ends after its type") { Array($0.prefix(6)) }
        + certInfo("length", "has a length beyond its end") { replacing($0, at: 8, [0xFF, 0xFF]) }
        + pubArea("empty", "is empty") { _ in [] }
        + pubArea("truncated", "ends early") { Array($0.dropLast(4)) }
        + pubArea("type", "is of another type of key") { replacing($0, at: 0, [0x00, 0x08]) }
        + pubArea("nameAlgorithm", "names another hash") { replacing($0, at: 2, [0x00, 0x0C]) }
        + pubArea("attributes", "has other attributes than certified") {
            replacing($0, at: 4, [0x00, 0x02, 0x00, 0x00])
        }
        + pubArea("surplus", "has bytes after its end") { $0 + [0, 0] }
}
