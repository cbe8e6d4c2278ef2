internal import CBOR
internal import Trace
internal import WebAuthn

/// Public keys and signatures of OpenSSH's security keys (OpenSSH PROTOCOL.u2f, RFC 4251 §5).
extension Reading {
    private static let clause = "OpenSSH PROTOCOL.u2f"
    private static let keyTypes = ["sk-ecdsa-sha2-nistp256@openssh.com", "sk-ssh-ed25519@openssh.com"]

    static func sshKey(_ bytes: [UInt8]) -> Reading? {
        var wire = SSHWire(rest: bytes[...])
        guard let type = wire.text(), keyTypes.contains(type) else { return nil }
        var part = DecodedPart(
            title: "public key of a security key", length: bytes.count, fields: [.text("type", type)])
        readKey(&wire, type, bytes.count, &part)
        return Reading(.sshKey, fits: part.problems.isEmpty, [part])
    }

    private static func readKey(_ wire: inout SSHWire, _ type: String, _ count: Int, _ part: inout DecodedPart) {
        let isECDSA = type == keyTypes[0]
        let members = (isECDSA ? ["curve"] : []) + [isECDSA ? "point" : "public key", "application"]
        for name in members {
            guard let value = wire.string() else {
                part.problems.append(.damage("it ends inside \(name), at byte \(count - wire.rest.count)", clause))
                return
            }
            let isText = name == "curve" || name == "application"
            part.fields.append(isText ? .text(name, String(decoding: value, as: UTF8.self)) : .bytes(name, value))
            let expected = name == "point" ? 65 : name == "public key" ? 32 : value.count
            if value.count != expected {
                part.problems.append(DecodingProblem("\(name) has \(value.count) bytes, not \(expected)", clause))
            }
        }
        if !wire.rest.isEmpty {
            part.problems.append(
                DecodingProblem("bytes follow the key, at byte \(count - wire.rest.count)", clause))
        }
    }

    static func sshSignature(_ bytes: [UInt8]) -> Reading? {
        let magic = Array("SSHSIG".utf8)
        guard bytes.starts(with: magic) else {
            var part = DecodedPart(title: "signature of a security key", length: bytes.count)
            return readSignature(bytes, &part) ? Reading(.sshSignature, fits: part.problems.isEmpty, [part]) : nil
        }
        var wire = SSHWire(rest: bytes.dropFirst(magic.count))
        var part = DecodedPart(title: "signature of a file", length: bytes.count)
        func at() -> Int { bytes.count - wire.rest.count }
        let format = "OpenSSH PROTOCOL.sshsig"
        guard let version = wire.number() else {
            part.problems = [.damage("it ends inside the version, at byte \(at())", format)]
            return Reading(.sshSignature, fits: false, [part])
        }
        part.fields.append(.integer("version", version))
        var strings: [String: [UInt8]] = [:]
        for name in ["public key", "namespace", "reserved", "hash algorithm", "signature"] {
            guard let value = wire.string() else {
                part.problems.append(.damage("it ends inside \(name), at byte \(at())", format))
                return Reading(.sshSignature, fits: false, [part])
            }
            strings[name] = value
            if name == "namespace" || name == "hash algorithm" {
                part.fields.append(.text(name, String(decoding: value, as: UTF8.self)))
            }
        }
        var parts = [part]
        if let key = strings["public key"].flatMap(sshKey) { parts += key.parts }
        let signature = strings["signature"] ?? []
        var inner = DecodedPart(title: "signature of a security key", length: signature.count)
        if readSignature(signature, &inner) {
            parts.append(inner)
        } else {
            parts[0].fields.append(.bytes("signature", signature))
        }
        return Reading(.sshSignature, parts)
    }

    /// A type, the signature, the flags and the counter.
    private static func readSignature(_ bytes: [UInt8], _ part: inout DecodedPart) -> Bool {
        var wire = SSHWire(rest: bytes[...])
        guard let type = wire.text(), keyTypes.contains(type), let signature = wire.string() else { return false }
        part.fields.append(.text("type", type))
        var numbers = SSHWire(rest: signature[...])
        if type == keyTypes[0], let r = numbers.string(), let s = numbers.string() {
            part.fields += [.bytes("r", r), .bytes("s", s)]
        } else {
            part.fields.append(.bytes("signature", signature))
        }
        guard let flags = wire.rest.popFirst(), let counter = wire.number() else {
            // A key has other strings here.
            part.problems.append(
                .damage("it ends before the flags and the counter, at byte \(bytes.count - wire.rest.count)", clause))
            return true
        }
        let words = [(1, "user present"), (4, "user verified")].filter { Int(flags) & $0.0 != 0 }.map(\.1)
        part.fields.append(.integer("flags", Int(flags), meaning: words.joined(separator: ", ")))
        part.fields.append(.integer("counter", counter))
        if flags & 1 == 0 { part.problems.append(DecodingProblem("the user is not present", clause)) }
        return true
    }
}
