/// A script of the FIDO conformance tool, and the cases here with its subject.
///
/// The scripts are not public: public words tell their names, the markers of their cases, and the meaning of some.
package struct OfficialScript: Sendable {
    /// The script's identifier, such as `HID-1`.
    package let name: String
    package let group: String
    /// The markers of its cases: `P-1` must succeed, `F-1` must be refused.
    package let markers: [String]
    /// The cases here about the script's subject: identifiers, or beginnings of them that end at a dot.
    package let subjects: [String]
    /// The cases of the script whose meaning is public.
    package let matches: [OfficialMatch]
    /// The markers that no case here looks at, with the reason.
    package let gaps: [String: String]

    /// - Parameters:
    ///   - matches: correspondences of single markers.
    ///   - gap: why no case here looks at the script; nil for a script with subjects.
    package init(
        _ name: String, _ group: String, _ markers: [String], subjects: [String] = [], matches: [OfficialMatch] = [],
        gaps: [String: String] = [:], gap: String? = nil
    ) {
        self.name = name
        self.group = group
        self.markers = markers
        self.subjects = subjects
        self.matches = matches
        self.gaps = gap.map { reason in Dictionary(markers.map { ($0, reason) }) { first, _ in first } } ?? gaps
    }

    /// - Parameter missing: numbers that the tool leaves out.
    package static func markers(_ positive: Int, _ negative: Int = 0, missing: Set<String> = []) -> [String] {
        let all = (0..<positive).map { "P-\($0 + 1)" } + (0..<negative).map { "F-\($0 + 1)" }
        return all.filter { !missing.contains($0) }
    }

    package func concerns(_ id: String) -> Bool {
        subjects.contains { id == $0 || id.hasPrefix($0 + ".") } || matches.contains { $0.concerns(id) }
    }
}

/// A case of the FIDO conformance tool whose meaning is public, and the cases here that look at the same.
package struct OfficialMatch: Sendable {
    package let marker: String
    /// Identifiers, or beginnings of them that end at a dot.
    package let cases: [String]
    package let source: OfficialSource

    package init(_ marker: String, _ cases: [String], _ source: OfficialSource) {
        self.marker = marker
        self.cases = cases
        self.source = source
    }

    func concerns(_ id: String) -> Bool { cases.contains { id == $0 || id.hasPrefix($0 + ".") } }
}

/// The public words that tell the meaning of a marker.
package enum OfficialSource: Hashable, Sendable, CustomStringConvertible {
    /// The file `conformance/expectations.json` of passwordless-lib/fido2-net-lib.
    case expectations
    /// An issue of fido-alliance/conformance-test-tools-resources.
    case issue(Int)
    /// An issue of BryanJacobs/FIDO2Applet, with the log of a run.
    case appletIssue(Int)
    /// The script has one case of the kind, and its name tells the subject.
    case name

    package var description: String {
        switch self {
        case .expectations: "fido2-net-lib, conformance/expectations.json"
        case .issue(let number): "conformance-test-tools-resources#\(number)"
        case .appletIssue(let number): "FIDO2Applet#\(number)"
        case .name: "the script's name"
        }
    }
}
