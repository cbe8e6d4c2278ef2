import AuthenticatorSuite
import Conformance
import RelyingPartySuite
import Testing

/// The tables of the FIDO conformance tool's scripts.
@Suite("Official scripts")
struct OfficialScriptTests {
    private static let tables = [
        (AuthenticatorSuite.all.official, AuthenticatorSuite.all.cases.map(\.description)),
        (RelyingPartySuite.all.official, RelyingPartySuite.all.cases.map(\.description)),
    ]

    @Test("The tables have the scripts and the numbers of cases that the tool prints")
    func counts() {
        let counts = Self.tables.map { table, _ in
            [table.scripts.count, table.scripts.reduce(0) { $0 + $1.markers.count }]
        }
        #expect(counts == [[49, 295], [16, 168]])
        for (table, _) in Self.tables {
            #expect(Set(table.scripts.map(\.name)).count == table.scripts.count)
            for script in table.scripts { #expect(Set(script.markers).count == script.markers.count, "\(script.name)") }
        }
        let groups = Dictionary(grouping: Self.tables[0].0.scripts, by: \.group).mapValues { scripts in
            scripts.reduce(0) { $0 + $1.markers.count }
        }
        #expect(
            groups == [
                "Transports": 37, "General": 5, "MakeCredentialRequest": 41, "MakeCredentialResponse": 6,
                "GetAssertionReq": 17, "GetAssertionResp": 5, "Reset": 1, "OptionsRK": 6, "OptionsEP": 9,
                "Extensions": 52, "ClientPin1": 17, "ClientPin2": 33, "CredManAPI": 11, "AuthenticatorConfig": 7,
                "BioEnrollment": 7, "LargeBlobs": 4, "Metadata": 37,
            ])
    }

    @Test("Every marker belongs to its script, and every case that a table names exists")
    func namesExist() {
        for (table, cases) in Self.tables {
            for script in table.scripts {
                let markers = Set(script.markers)
                #expect(Set(script.matches.map(\.marker)).subtracting(markers).isEmpty, "\(script.name)")
                #expect(Set(script.gaps.keys).subtracting(markers).isEmpty, "\(script.name)")
                #expect(Set(script.gaps.keys).isDisjoint(with: script.matches.map(\.marker)), "\(script.name)")
                for name in script.subjects + script.matches.flatMap(\.cases) {
                    #expect(cases.contains { $0.id == name || $0.id.hasPrefix(name + ".") }, "\(script.name): \(name)")
                }
                #expect(!script.subjects.isEmpty || script.gaps.count == script.markers.count, "\(script.name)")
            }
        }
    }

    @Test("A case has the marker where its meaning is public, else the script that it shares the subject with")
    func identifiers() {
        #expect(Sample.official.identifiers(of: "walk.fail") == ["Walk-1 P-1"])
        #expect(Sample.official.identifiers(of: "walk.pass") == ["Walk-1"])
        #expect(Sample.official.identifiers(of: "walkabout.pass") == [])
        let coverage = Sample.official.coverage(by: Sample.suite.cases.map(\.description))
        #expect(coverage.map(\.state) == [.subject, .none])
        #expect(coverage.map(\.cases) == [5, 0])
        let page = OfficialMarkdown.page([("Animals", coverage)])
        #expect(page.contains("2 scripts with 6 cases: 1 have the same meaning as cases here, 1 belong to a script"))
        #expect(page.contains("| `Walk-1 P-1` | `walk.fail` | the script's name |"))
        #expect(page.contains("| Swimming | `Swim-1` | 3 | 0 | not covered; there is no water |"))
    }
}
