import ArgumentParser
import BiometricStatistics
import Biometrics
import DeviceProfiles
import Foundation

/// `touchstone statistics`: how often a profile's gate errs, and whom it locks out.
struct StatisticsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "statistics",
        abstract: "Measure how often a device's sensor errs and whom its lockouts hit, from a seeded model.",
        discussion: """
            Plays so many samples of the person who is enrolled, and as many of impostors, at the profile's own gate: \
            its tries per prompt, its lockouts. Each rate comes by attempt and by transaction (one prompt) with its \
            confidence interval, and beside it what calculation says it should be. Rates are written 1:50000, 3% or \
            0.03.

            Errors that are independent of each other hardly ever lock a genuine person out. --bad-days adds days on \
            which a finger is wet or a face half hidden: that share of all prompts, in spells of --bad-day-length.
            """)

    @Argument(help: "A profile's name, or the path of a profile file.")
    var profile: String

    @OptionGroup var model: RecognitionOptions

    @Option(help: "How many samples the sensor compares, of the person and of impostors each.")
    var attempts = 100_000

    @Option(help: "How many rejections in one prompt a person puts up with; without it, as many as the prompt does.")
    var patience: Int?

    @Option(help: "How sure the intervals are to be.")
    var level = 0.95

    @Option(help: "What the run follows from.")
    var seed: UInt64 = 1

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        guard (1...1_000_000_000).contains(attempts) else {
            throw ValidationError("--attempts must be 1 to 1000000000.")
        }
        guard (0.5..<1).contains(level) else { throw ValidationError("--level must be 0.5 or more, and below 1.") }
        guard patience.map({ $0 > 0 }) ?? true else { throw ValidationError("--patience must be 1 or more.") }
    }

    func run() async throws {
        let profile = try ProfileLibrary.standard().profile(profile)
        guard var gate = profile.gate, let sensor = gate.sensor else {
            throw CommandError("\(profile.name) has no sensor to measure", .badInput)
        }
        if sensor.templates.isEmpty { _ = try gate.enrol(BiometricTemplate(id: [1], name: "owner"), at: .zero) }
        let report: StatisticalReport
        do {
            report = try StatisticalReport.measure(
                gate, model: try model.model(), attempts: attempts, seed: seed, patience: patience, level: level)
        } catch let error as RecognitionModelError {
            throw CommandError(error.description, .badInput)
        } catch let error as StatisticalRunError {
            throw CommandError("\(profile.name): \(error)", .badInput)
        }
        if json {
            try Terminal.writeJSON(report)
            return
        }
        Terminal.write("\(profile.title)")
        Terminal.write("\(attempts) samples of each, seed \(seed), intervals at \(Self.words(level))")
        Terminal.write("")
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
        table.lines.forEach { Terminal.write($0) }
        for rate in report.genuine + report.impostor {
            if let caution = rate.caution { Terminal.write("\(rate.name): \(caution)") }
        }
        if report.credentialDemands > 0 {
            Terminal.write("the device credential was due by time \(report.credentialDemands) times")
        }
    }

    /// Ordinary rates in percent, rare ones as one in so many.
    private static func words(_ rate: Double) -> String {
        switch rate {
        case 0: "0"
        case ..<1e-15: String(format: "1:%.3g", 1 / rate)
        case ..<0.001: "1:\(Int((1 / rate).rounded()))"
        default: String(format: "%.3g %%", rate * 100)
        }
    }
}
