internal import Foundation
package import Reports

extension MatrixPage {
    /// Scenario reports: a matrix of requirements and devices, whose cells open the timeline of a run.
    ///
    /// - Parameter catalogue: the titles of the requirements; nil for reports whose requirements have none.
    package init(_ reports: [ScenarioReport], catalogue: RequirementCatalogue?) {
        let groups = catalogue?.groups.sorted { $0.key < $1.key } ?? []
        let axes = NamedAxes(reports)
        let named = Set(reports.flatMap { $0.requirements + $0.steps.flatMap(\.requirements) })
        self.init(
            words: Words(
                matrix: "Requirements by \(axes.title)", row: "requirement", scenario: "scenario", run: "run",
                device: "device"),
            groups: groups.map { Group(id: $0.key, title: "\($0.key) · \($0.value)") }
                + [Group(id: "", title: "Requirements")],
            rows: catalogue.map { $0.requirements.map { Row($0, of: groups.map(\.key)) } }
                ?? named.sorted { $0.localizedStandardCompare($1) == .orderedAscending }
                .map { Row(id: $0, title: "", group: "") },
            lanes: TimelineEntry.Lane.allCases.map(\.title), runs: reports.map { $0.run(axes) })
        deviceTitles = reports.reduce(into: [:]) { titles, report in
            for (name, facts) in report.deviceFacts ?? [:] {
                if let column = report.columns[name] { titles[column] = facts.title }
            }
        }
        let facts = reports.flatMap { $0.deviceFacts?.values.map(\.isReal) ?? [] }
        if facts.contains(false) {
            origins.append(
                facts.contains(true)
                    ? "Touchstone simulates the devices that are not marked as real keys, and their users."
                    : "Touchstone simulates the devices and their users: no phone and no security key takes part.")
        }
        seconds = reports.reduce(0) { $0 + $1.realSeconds }
        let subjects = Set(reports.flatMap(\.steps).flatMap { $0.checks.map(\.subject) + $0.mismatches.map(\.subject) })
        meanings = Expectation.Subject.all.filter { subjects.contains($0.name) }
            .reduce(into: [:]) { $0[$1.name] = $1.meaning }
    }
}

extension MatrixPage.Row {
    fileprivate init(_ requirement: RequirementCatalogue.Requirement, of groups: [String]) {
        let gap: String? =
            switch requirement.gap {
            case .pending: "pending"
            case .uncovered: "no scenario yet"
            case nil: nil
            }
        self.init(
            id: requirement.id, title: requirement.title,
            group: groups.filter(requirement.id.hasPrefix).max { $0.count < $1.count } ?? "", gap: gap,
            reason: requirement.gap?.reason)
    }
}

/// The properties of the app that a scenario states: the others are the app's own, and no column of a page.
private struct NamedAxes {
    let role: Bool
    let style: Bool

    /// The columns of the matrix in words.
    var title: String {
        switch (role, style) {
        case (true, true): "device, role and style"
        case (true, false): "device and role"
        case (false, true): "device and style"
        case (false, false): "device"
        }
    }

    init(_ reports: [ScenarioReport]) {
        role = reports.contains { $0.parameters["role"] != nil || $0.app?.namesRole == true }
        style = reports.contains { $0.parameters["style"] != nil || $0.app?.namesStyle == true }
    }
}

extension ScenarioReport {
    fileprivate func run(_ named: NamedAxes) -> MatrixPage.Run {
        var run = MatrixPage.Run(
            name: name, scenario: scenario, file: file, outcome: passed ? .passed : .failed, shows: personas,
            devices: Set(columns.values).sorted(), steps: steps.map(\.matrixStep), trace: trace ?? [])
        if !passed { run.results = results }
        run.role = parameters["role"] ?? (named.role ? app?.role : nil)
        run.style = parameters["style"] ?? (named.style ? app?.style : nil)
        run.provider = parameters["provider"]
        return run
    }

    /// The columns of the devices, by the devices' names: a real key is told apart from the profile it stands for.
    fileprivate var columns: [String: String] {
        devices.reduce(into: [:]) { columns, device in
            columns[device.key] = device.value + (deviceFacts?[device.key]?.isReal == true ? " (real key)" : "")
        }
    }

    /// The outcome of each requirement that steps look at: a failed run has more than one.
    private var results: [String: MatrixPage.Outcome] {
        var results: [String: MatrixPage.Outcome] = [:]
        for step in steps {
            for requirement in step.requirements where results[requirement] != .failed {
                let isUnseen = !step.wasPlayed || results[requirement] == .notRun
                results[requirement] = step.wasPlayed && !step.passed ? .failed : isUnseen ? .notRun : .passed
            }
        }
        return results
    }

    /// The profiles of the devices at which it shows each requirement; all of them for a requirement that no step at a device shows.
    private var personas: [String: [String]] {
        let devices = columns
        var personas: [String: Set<String>] = [:]
        for step in steps {
            for requirement in step.requirements {
                let profile = step.device.flatMap { devices[$0] }
                personas[requirement, default: []].formUnion(profile.map { [$0] } ?? Array(devices.values))
            }
        }
        for requirement in requirements where personas[requirement] == nil {
            personas[requirement] = Set(devices.values)
        }
        return personas.mapValues { $0.sorted() }
    }
}

extension StepReport {
    fileprivate var matrixStep: MatrixPage.Step {
        MatrixPage.Step(
            number: number, title: title, file: file, device: device, wasPlayed: wasPlayed, shows: requirements,
            met: checks.filter(\.isMet).map { check in
                MatrixPage.Difference(
                    line: check.line, subject: check.subject, expected: check.expected, seen: check.seen)
            },
            differences: mismatches.map { mismatch in
                MatrixPage.Difference(
                    line: mismatch.line ?? line, subject: mismatch.subject, expected: mismatch.expected,
                    seen: mismatch.seen)
            },
            timeline: timeline.map { entry in
                MatrixPage.Entry(
                    time: entry.time, lane: TimelineEntry.Lane.allCases.firstIndex(of: entry.lane) ?? 0,
                    text: entry.text, detail: entry.detail, device: entry.device)
            })
    }
}
