/// The cases for one kind of subject.
package struct ConformanceSuite<Bench: ConformanceBench>: Sendable {
    /// The suite's name on the command line: `authenticator`, `relying-party`.
    package let name: String
    package let groups: [ConformanceGroup<Bench>]
    package let profiles: [RunProfile]
    /// The scripts of the FIDO conformance tool, from which the cases have their official identifiers.
    package let official: OfficialTable

    package init(
        _ name: String, profiles: [RunProfile] = [], official: OfficialTable = OfficialTable(),
        _ groups: [ConformanceGroup<Bench>]
    ) {
        self.name = name
        self.profiles = profiles
        self.official = official
        self.groups = groups.map { group in
            var group = group
            for index in group.cases.indices {
                group.cases[index].description.official = official.identifiers(of: group.cases[index].description.id)
            }
            return group
        }
    }

    package var cases: [ConformanceCase<Bench>] { groups.flatMap(\.cases) }

    package var catalogue: [CatalogueGroup] {
        groups.map { CatalogueGroup(name: $0.name, title: $0.title, cases: $0.cases.map(\.description)) }
    }
}

/// A group of a suite without its steps.
package struct CatalogueGroup: Codable, Sendable {
    package let name: String
    package let title: String
    package let cases: [CaseDescription]
}

/// A named selection of cases, for subjects that claim to follow a version or a role.
package struct RunProfile: Codable, Sendable {
    package let name: String
    package let title: String
    /// The specifications whose cases belong to it.
    package let specifications: [Specification]
    /// The needs, in words, that the subject has to meet: a case that is not applicable for their lack has failed.
    package let demands: [String]

    package init(_ name: String, _ title: String, _ specifications: [Specification], demands: [String] = []) {
        self.name = name
        self.title = title
        self.specifications = specifications
        self.demands = demands
    }
}
