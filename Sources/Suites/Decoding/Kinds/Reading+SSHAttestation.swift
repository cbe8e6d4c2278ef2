internal import CBOR
internal import Trace

/// The file of `ssh-keygen -O write-attestation` (OpenSSH PROTOCOL.u2f).
extension Reading {
    static func sshAttestation(_ bytes: [UInt8]) -> Reading? {
        let clause = "OpenSSH PROTOCOL.u2f"
        var wire = SSHWire(rest: bytes[...])
        guard let version = wire.text(), ["ssh-sk-attest-v00", "ssh-sk-attest-v01"].contains(version) else {
            return nil
        }
        var whole = DecodedPart(
            title: "attestation of a security key", length: bytes.count, fields: [.text("version", version)])
        var parts: [DecodedPart] = []
        let names =
            ["certificate", "signature"] + (version.hasSuffix("1") ? ["authenticator data"] : [])
        for name in names {
            guard let value = wire.string() else {
                whole.problems = [.damage("it ends inside \(name), at byte \(bytes.count - wire.rest.count)", clause)]
                return Reading(.sshAttestation, fits: false, [whole] + parts)
            }
            parts += self.parts(of: value, name)
        }
        guard let flags = wire.number(), let reserved = wire.string() else {
            whole.problems = [.damage("it ends inside the reserved members", clause)]
            return Reading(.sshAttestation, fits: false, [whole] + parts)
        }
        whole.fields += [.integer("reserved flags", flags), .bytes("reserved", reserved)]
        if !wire.rest.isEmpty {
            whole.problems.append(
                DecodingProblem("bytes follow it, at byte \(bytes.count - wire.rest.count)", clause))
        }
        return Reading(.sshAttestation, [whole] + parts)
    }

    private static func parts(of value: [UInt8], _ name: String) -> [DecodedPart] {
        let reading =
            switch name {
            case "certificate": certificate(value)
            case "signature": signature(value)
            default: authenticatorData(wrapped: value)
            }
        return reading?.parts ?? [DecodedPart(title: name, length: value.count, fields: [.bytes("bytes", value)])]
    }

    /// Authenticator data, also in a byte string of CBOR, as libfido2 and OpenSSH write it.
    static func authenticatorData(wrapped bytes: [UInt8]) -> Reading? {
        if case .bytes(let inner)? = try? CBOR.decode(bytes, options: .lenient) { return authenticatorData(inner) }
        let whole = authenticatorData(bytes)
        guard whole?.parts.allSatisfy(\.problems.isEmpty) != true, bytes.count > 3, bytes[0] == 0x58 || bytes[0] == 0x59
        else { return whole }
        // The hash of a relying party may begin like the byte string; its flags then tell.
        let head = bytes[0] == 0x58 ? 2 : 3
        let announced = bytes[1..<head].reduce(0) { $0 << 8 | Int($1) }
        let inner = Array(bytes.dropFirst(head))
        guard announced >= 37, announced > inner.count else { return whole }
        var part =
            authenticatorData(inner)?.parts[0]
            ?? DecodedPart(title: "authenticator data", length: inner.count, fields: [.bytes("bytes", inner)])
        part.problems = [.damage("the byte string of \(announced) bytes ends after \(inner.count)", "RFC 8949 §3.1")]
        return Reading(.authenticatorData, match: .beginning, [part])
    }
}
