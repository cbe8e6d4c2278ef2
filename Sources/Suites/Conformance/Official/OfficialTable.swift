/// The scripts of the FIDO conformance tool for one kind of subject.
package struct OfficialTable: Sendable {
    /// The name of the tool's module.
    package let module: String
    package let scripts: [OfficialScript]

    package init(module: String = "", _ scripts: [OfficialScript] = []) {
        self.module = module
        self.scripts = scripts
    }

    /// The official identifiers of a case: a script with a marker where the marker's meaning is public, else the script.
    package func identifiers(of id: String) -> [String] {
        scripts.flatMap { script in
            let markers = script.matches.filter { $0.concerns(id) }.map { "\(script.name) \($0.marker)" }
            return markers.isEmpty && script.concerns(id) ? [script.name] : markers
        }
    }

    package func coverage(by cases: [CaseDescription]) -> [OfficialCoverage] {
        scripts.map { OfficialCoverage($0, cases) }
    }
}

/// The cases here with the subject of a script of the FIDO conformance tool.
package struct OfficialCoverage: Encodable, Sendable {
    package struct Marker: Encodable, Sendable {
        package let marker: String
        /// Identifiers of cases here.
        package let cases: [String]
        package let source: String
    }

    package let script: String
    package let group: String
    /// The number of the script's cases.
    package let markers: Int
    package let known: [Marker]
    /// The reasons for markers without a case here, by marker.
    package let gaps: [String: String]
    package let cases: Int

    fileprivate init(_ script: OfficialScript, _ cases: [CaseDescription]) {
        self.script = script.name
        group = script.group
        markers = script.markers.count
        known = script.matches.map { match in
            Marker(
                marker: match.marker, cases: cases.map(\.id).filter(match.concerns), source: match.source.description)
        }
        gaps = script.gaps
        self.cases = cases.count { script.concerns($0.id) }
    }

    /// How many of the script's cases the cases here cover, and how surely.
    package var state: State {
        if cases == 0 { return .none }
        return known.count + gaps.count == markers ? .single : .subject
    }

    /// The certainty of a coverage.
    package enum State: String, Encodable, Sendable {
        /// No case here.
        case none = "not covered"
        /// The subject is covered; the meaning of single markers is not public, or not of all.
        case subject = "covered as a subject"
        /// Each marker has its cases here, or a reason.
        case single = "covered marker by marker"
    }
}
