internal import Conformance
internal import Scenarios
internal import Synchronization

/// The reports of runs, by their names; the oldest ends first.
final class KeptReports: Sendable {
    enum Report: Sendable {
        case scenarios([ScenarioReport])
        case conformance(ConformanceReport)
    }

    private static let most = 50

    private let kept = Mutex<(reports: [(name: String, report: Report)], last: Int)>(([], 0))

    /// Keeps a report, and returns its name.
    func keep(_ report: Report) -> String {
        kept.withLock { kept in
            kept.last += 1
            let name = "report-\(kept.last)"
            if kept.reports.count >= Self.most { kept.reports.removeFirst() }
            kept.reports.append((name, report))
            return name
        }
    }

    func report(_ name: String) -> Report? { kept.withLock { $0.reports.first { $0.name == name }?.report } }

    var names: [String] { kept.withLock { $0.reports.map(\.name) } }
}
