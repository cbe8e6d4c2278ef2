import ArgumentParser
import BiometricStatistics
import Biometrics
import DeviceProfiles
import Foundation
import Tables
import Wording

/// `touchstone statistics`.
struct StatisticsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "statistics",
        abstract: "Measure a sensor's error rates and lockouts with a seeded model.",
        discussion: """
            Presents samples of the genuine user, and as many of impostors, to the profile's gate with its attempts \
            per prompt and its lockouts. Each rate is shown by attempt and by transaction (one prompt), with its \
            confidence interval and the calculated value. Rates are written 1:50000, 3% or 0.03.

            Independent errors rarely lock out a genuine user. --bad-days adds days with a wet finger or a \
            half-hidden face: that share of all prompts, in runs of --bad-day-length.
            """)

    @OptionGroup var profile: ProfileArgument

    @OptionGroup var model: RecognitionOptions

    @Option(help: "Number of samples of the genuine user, and of impostors.")
    var attempts = 100_000

    @Option(help: "Rejections in one prompt until the user gives up; default: the prompt's own limit.")
    var patience: Int?

    @Option(help: "Confidence level of the intervals.")
    var level = 0.95

    @Option(help: "Random seed.")
    var seed: UInt64 = 1

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (1...1_000_000_000).contains(attempts) else {
            throw ValidationError("--attempts must be 1 to 1000000000.")
        }
        guard (0.5..<1).contains(level) else { throw ValidationError("--level must be 0.5 or more, and below 1.") }
        guard patience.map({ $0 > 0 }) ?? true else { throw ValidationError("--patience must be 1 or more.") }
    }

    func run() async throws {
        let profile = try profile.read()
        guard var gate = profile.gate, let sensor = gate.sensor else {
            throw CommandError("\(profile.name) has no sensor to measure; choose a profile with a sensor", .badInput)
        }
        if sensor.templates.isEmpty { _ = try gate.enrol(BiometricTemplate(id: [1], name: "owner"), at: .zero) }
        let report: StatisticalReport
        do {
            report = try StatisticalReport.measure(
                gate, model: try model.model(), attempts: attempts, seed: seed, patience: patience, level: level)
        } catch let error as StatisticalRunError {
            throw CommandError("\(profile.name): \(error)", .badInput)
        }
        try output.write(report) { lines(report, of: profile) }
    }

    private func lines(_ report: StatisticalReport, of profile: DeviceProfile) -> [String] {
        var table = TextTable("WHO", "RATE", "MEASURED", "INTERVAL", "CALCULATED", "", "OF")
        for (who, rates) in [("genuine", report.genuine), ("impostor", report.impostor)] {
            for rate in rates {
                table.add(
                    who, rate.name, Self.words(rate.measured),
                    "\(Self.words(rate.interval.lower)) to \(Self.words(rate.interval.upper))",
                    Self.words(rate.forecast), rate.isForecastInside ? "inside" : "outside",
                    "\(rate.errors) of \(rate.trials)")
            }
        }
        var notes = (report.genuine + report.impostor).compactMap { rate in
            rate.caution.map { "\(rate.name): \($0)" }
        }
        if report.credentialDemands > 0 {
            notes.append("the device credential was due \(Wording.counted(report.credentialDemands, "time"))")
        }
        return [
            profile.title, "\(attempts) samples of each, seed \(seed), intervals at \(Self.words(level))", "",
        ] + table.lines + notes.flatMap { Paragraph.lines($0, width: Terminal.width) }
    }

    /// A rate in percent, or as `1:n` below 0.1 %.
    private static func words(_ rate: Double) -> String {
        switch rate {
        case 0: "0"
        case ..<1e-15: String(format: "1:%.3g", 1 / rate)
        case ..<0.001: "1:\(Int((1 / rate).rounded()))"
        default: String(format: "%.3g %%", rate * 100)
        }
    }
}
