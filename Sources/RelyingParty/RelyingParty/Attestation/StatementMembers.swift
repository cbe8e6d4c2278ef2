internal import CBOR
internal import COSE

/// The members of an attestation statement that is a map.
struct StatementMembers {
    private let map: CBOR.Map
    /// A flag for each member that the format does not define.
    ///
    /// WebAuthn asks for the members a format defines and is silent about others; no signature covers them.
    let flags: [Reason]

    /// The maximum number of certificates: longer paths do not occur, and many similar certificates slow path building.
    private static let pathLimit = 8

    init(_ statement: CBOR.Value, known: Set<String>) throws(AttestationRefusal) {
        do {
            map = try statement.asMap("attStmt")
        } catch {
            throw Self.malformed(error.description)
        }
        flags = map.keys.compactMap { key in
            if case .text(let name) = key, known.contains(name) { return nil }
            return Reason(.attestationMemberUnknown, "the statement has an unknown member \(key)")
        }
    }

    func integer(_ name: String) throws(AttestationRefusal) -> Int {
        try member(name) { value throws(CBOR.AccessError) in try value.asInteger(name) }
    }

    func bytes(_ name: String) throws(AttestationRefusal) -> [UInt8] {
        try member(name) { value throws(CBOR.AccessError) in try value.asBytes(name) }
    }

    func text(_ name: String) throws(AttestationRefusal) -> String {
        try member(name) { value throws(CBOR.AccessError) in try value.asText(name) }
    }

    private func member<Content>(
        _ name: String, _ read: (CBOR.Value) throws(CBOR.AccessError) -> Content
    ) throws(AttestationRefusal) -> Content {
        do {
            return try read(map.required(.text(name), name))
        } catch {
            throw Self.malformed(error.description)
        }
    }

    func has(_ name: String) -> Bool { map[name] != nil }

    /// The certificates of `x5c` in DER, leaf first, at least one.
    func certificates() throws(AttestationRefusal) -> [[UInt8]] {
        let path = try member("x5c") { value throws(CBOR.AccessError) in
            var path: [[UInt8]] = []
            for item in try value.asArray("x5c") { path.append(try item.asBytes("x5c")) }
            return path
        }
        guard (1...Self.pathLimit).contains(path.count) else {
            throw Self.malformed("x5c holds \(path.count) certificates, not 1 to \(Self.pathLimit)")
        }
        return path
    }

    static func malformed(_ explanation: String) -> AttestationRefusal {
        .failed([Reason(.attestationStatementMalformed, explanation)])
    }
}

/// The members `alg` and `sig`, which most formats have.
struct StatementSignature {
    let algorithm: COSE.Algorithm
    let bytes: [UInt8]

    init(_ members: StatementMembers) throws(AttestationRefusal) {
        algorithm = COSE.Algorithm(rawValue: try members.integer("alg"))
        bytes = try members.bytes("sig")
    }

    /// A signature whose algorithm the format fixes.
    init(_ members: StatementMembers, algorithm: COSE.Algorithm) throws(AttestationRefusal) {
        self.algorithm = algorithm
        bytes = try members.bytes("sig")
    }

    func judge(over message: [UInt8], key: COSE.PublicKey) -> [Reason] {
        switch SignatureCheck(bytes, over: message, key: key) {
        case .valid: []
        case .invalid: [Reason(.attestationSignatureInvalid, "the attestation signature does not verify")]
        case .malformed(let problem): [Reason(.attestationSignatureMalformed, "the attestation signature: \(problem)")]
        }
    }

    func judge(over message: [UInt8], by certificate: AttestationCertificate, acceptsRS1: Bool = false) -> [Reason] {
        do throws(COSE.KeyError) {
            guard acceptsRS1 || algorithm != .rs1 else { throw .unsupportedAlgorithm(algorithm) }
            return judge(over: message, key: try certificate.key(for: algorithm))
        } catch .unsupportedAlgorithm {
            return [Reason(.attestationAlgorithmUnsupported, "\(algorithm) is not supported")]
        } catch {
            return [Reason(.attestationAlgorithmMismatch, "the certificate's key is not for \(algorithm)")]
        }
    }
}
