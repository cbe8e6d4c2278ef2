package import Machine

/// Results as JUnit XML, which CI servers read.
package struct JUnitDocument: Sendable {
    package static let kind = OutputFile.Kind("a JUnit report", isReport: true) { head in
        let text = String(decoding: head, as: UTF8.self)
        return text.contains("<testsuites") || text.contains("<testsuite ")
    }

    package struct Suite: Sendable {
        let name: String
        let file: String?
        let seconds: Double
        let timestamp: String?
        let properties: [String: String]
        let cases: [Case]

        /// - Parameter timestamp: the time of its begin (ISO 8601); nil where it is not known.
        package init(
            name: String, file: String? = nil, seconds: Double, timestamp: String? = nil,
            properties: [String: String] = [:], cases: [Case]
        ) {
            (self.name, self.file, self.seconds, self.properties) = (name, file, seconds, properties)
            (self.timestamp, self.cases) = (timestamp, cases)
        }
    }

    package struct Case: Sendable {
        let className: String
        let name: String
        let place: (file: String, line: Int)?
        let seconds: Double?
        let outcome: Outcome
        let output: String?

        /// - Parameters:
        ///   - name: the case's name, which stays from run to run: servers keep a history for each name.
        ///   - output: text that belongs to the case whatever its outcome is.
        package init(
            className: String, name: String, place: (file: String, line: Int)? = nil, seconds: Double? = nil,
            outcome: Outcome, output: String? = nil
        ) {
            self.className = className
            self.name = name
            self.place = place
            self.seconds = seconds
            self.outcome = outcome
            self.output = output
        }
    }

    package enum Outcome: Sendable {
        case passed
        case skipped(String)
        /// - Parameter kind: the observation that several failures share; nil if failures are not grouped.
        case failed(message: String, detail: String, kind: String? = nil)
    }

    private let suites: [Suite]

    package init(_ suites: [Suite]) { self.suites = suites }

    package var xml: String {
        let cases = suites.flatMap(\.cases)
        var lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>"]
        lines.append("<testsuites \(Self.counts(cases)) \(Self.time(suites.reduce(0) { $0 + $1.seconds }))>")
        for suite in suites { lines += Self.lines(suite) }
        lines.append("</testsuites>")
        return lines.joined(separator: "\n") + "\n"
    }

    private static func counts(_ cases: [Case]) -> String {
        "tests=\"\(cases.count)\" failures=\"\(cases.count(where: \.hasFailed))\" "
            + "skipped=\"\(cases.count(where: \.isSkipped))\""
    }

    /// The attribute with three decimals, as CI servers show them.
    private static func time(_ seconds: Double) -> String {
        let thousandths = Int((max(0, seconds) * 1000).rounded())
        return "time=\"\(thousandths / 1000).\(String(thousandths % 1000 + 1000).dropFirst())\""
    }

    private static func lines(_ suite: Suite) -> [String] {
        var lines = [
            "  <testsuite name=\"\(escaped(suite.name))\"" + (suite.file.map { " file=\"\(escaped($0))\"" } ?? "")
                + " \(counts(suite.cases)) \(time(suite.seconds))"
                + (suite.timestamp.map { " timestamp=\"\(escaped($0))\"" } ?? "") + ">"
        ]
        if !suite.properties.isEmpty {
            let properties = suite.properties.sorted { $0.key < $1.key }.map { name, value in
                "<property name=\"\(escaped(name))\" value=\"\(escaped(value))\"/>"
            }
            lines.append("    <properties>\(properties.joined())</properties>")
        }
        for single in suite.cases { lines += Self.lines(single) }
        lines.append("  </testsuite>")
        return lines
    }

    private static func lines(_ single: Case) -> [String] {
        let head =
            "    <testcase classname=\"\(escaped(single.className))\" name=\"\(escaped(single.name))\""
            + (single.place.map { " file=\"\(escaped($0.file))\" line=\"\($0.line)\"" } ?? "")
            + (single.seconds.map { " \(time($0))" } ?? "")
        var inner: [String] = []
        switch single.outcome {
        case .passed: break
        case .skipped(let message): inner.append("      <skipped message=\"\(escaped(message))\"/>")
        case .failed(let message, let detail, let kind):
            let type = kind.map { " type=\"\(escaped($0))\"" } ?? ""
            inner.append("      <failure message=\"\(escaped(message))\"\(type)>\(escaped(detail))</failure>")
        }
        if let output = single.output { inner.append("      <system-out>\(escaped(output))</system-out>") }
        return inner.isEmpty ? [head + "/>"] : [head + ">"] + inner + ["    </testcase>"]
    }

    /// Text inside XML; characters that XML 1.0 cannot hold are dropped.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\n", "\t": result.unicodeScalars.append(scalar)
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: break
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

extension JUnitDocument.Case {
    fileprivate var hasFailed: Bool { if case .failed = outcome { true } else { false } }
    fileprivate var isSkipped: Bool { if case .skipped = outcome { true } else { false } }
}
