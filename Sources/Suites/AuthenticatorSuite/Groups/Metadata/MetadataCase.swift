internal import Attestation
internal import CTAP
internal import Conformance
internal import Documents

extension AuthenticatorSuite {
    /// The authenticator against the metadata statement of its model (FIDO Metadata Statement 3.1).
    package static let metadata = Group(
        "metadata", "Metadata statement",
        MetadataCases.forms + MetadataCases.versions + MetadataCases.algorithms + MetadataCases.verification
            + MetadataCases.protection + MetadataCases.certificates + MetadataCases.information)
}

/// The cases of metadata statements.
enum MetadataCases {
    static let clause = Clause(.metadataStatement, "4")

    /// - Parameter isRequired: whether a statement without the member fails.
    static func member(
        _ member: String, part end: String? = nil, _ title: String, isRequired: Bool = true, level: Level = .must,
        needs: [AuthenticatorNeed] = [], person: [ManualAct] = [],
        _ look: @escaping @Sendable (AuthenticatorBench, JSONValue) async throws -> Void
    ) -> Case {
        Case(
            "metadata.\(member)" + (end.map { ".\($0)" } ?? ""), title, clause, level: level,
            needs: [.metadata] + needs, person: person
        ) { bench in
            guard let value = bench.settings.metadata?[member] else {
                guard isRequired else { throw CaseStop.notApplicable("the statement has no \(member)") }
                throw bench.fail("the member \(member)", seen: "none")
            }
            try await look(bench, value)
        }
    }

    static func statement(
        _ name: String, _ title: String, level: Level = .must, needs: [AuthenticatorNeed] = [],
        _ look: @escaping @Sendable (AuthenticatorBench, StatedMetadata) async throws -> Void
    ) -> Case {
        Case("metadata.\(name)", title, clause, level: level, needs: [.metadata] + needs) { bench in
            guard let statement = bench.settings.metadata else { return }
            try await look(bench, statement)
        }
    }

    /// The texts of a list, each of which must be one of the registered.
    static func names(_ value: JSONValue, of registered: Set<String>, _ bench: AuthenticatorBench) throws -> [String] {
        let found = try texts(value, bench)
        bench.expect(!found.isEmpty, "at least one entry", seen: "an empty list")
        let unknown = found.filter { !registered.contains($0) }
        bench.expect(
            unknown.isEmpty, "names of the FIDO Registry of Predefined Values", seen: unknown.joined(separator: ", "))
        bench.expect(Set(found).count == found.count, "each name once", seen: found.joined(separator: ", "))
        return found
    }

    static func texts(_ value: JSONValue, _ bench: AuthenticatorBench) throws -> [String] {
        let found = value.array?.compactMap(\.text)
        guard let found, found.count == value.array?.count else {
            throw bench.fail("a list of texts", seen: words(value))
        }
        return found
    }

    static func words(_ value: JSONValue?) -> String {
        guard let value else { return "nothing" }
        return (try? value.indented()) ?? "\(value)"
    }
}

extension AuthenticatorBench {
    func expect(_ stated: [String], toEqual seen: [String], _ subject: String) {
        expect(
            Set(stated) == Set(seen), "\(subject) \(seen.sorted().joined(separator: ", ")), as the authenticator has",
            seen: stated.sorted().joined(separator: ", "))
    }
}
