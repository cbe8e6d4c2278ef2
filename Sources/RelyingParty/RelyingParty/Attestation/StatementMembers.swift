internal import CBOR

/// The members of an attestation statement that is a map.
struct StatementMembers {
    private let map: CBOR.Map

    /// The most certificates accepted: longer paths do not occur, and many similar certificates slow path building.
    private static let pathLimit = 8

    /// Reads a statement; members beyond `known` are refused.
    init(_ statement: CBOR.Value, known: Set<String>) throws(AttestationRefusal) {
        do {
            map = try statement.asMap("attStmt")
        } catch {
            throw Self.malformed(error.description)
        }
        for key in map.keys {
            guard case .text(let name) = key, known.contains(name) else {
                throw Self.malformed("the statement has an unknown member \(key)")
            }
        }
    }

    func integer(_ name: String) throws(AttestationRefusal) -> Int {
        do {
            return try map.required(.text(name), name).asInteger(name)
        } catch {
            throw Self.malformed(error.description)
        }
    }

    func bytes(_ name: String) throws(AttestationRefusal) -> [UInt8] {
        do {
            return try map.required(.text(name), name).asBytes(name)
        } catch {
            throw Self.malformed(error.description)
        }
    }

    func text(_ name: String) throws(AttestationRefusal) -> String {
        do {
            return try map.required(.text(name), name).asText(name)
        } catch {
            throw Self.malformed(error.description)
        }
    }

    /// The certificates of `x5c` in DER, leaf first, at least one; nil without `x5c`.
    func certificatesIfPresent() throws(AttestationRefusal) -> [[UInt8]]? {
        guard let value = map["x5c"] else { return nil }
        var path: [[UInt8]] = []
        do {
            for item in try value.asArray("x5c") { path.append(try item.asBytes("x5c")) }
        } catch {
            throw Self.malformed(error.description)
        }
        guard (1...Self.pathLimit).contains(path.count) else {
            throw Self.malformed("x5c holds \(path.count) certificates, not 1 to \(Self.pathLimit)")
        }
        return path
    }

    /// The certificates of `x5c` in DER, leaf first, at least one.
    func certificates() throws(AttestationRefusal) -> [[UInt8]] {
        guard let path = try certificatesIfPresent() else { throw Self.malformed("x5c is missing") }
        return path
    }

    static func malformed(_ explanation: String) -> AttestationRefusal {
        .failed([Reason(.attestationStatementMalformed, explanation)])
    }
}
