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
            confidence interval and the calculated value. Rates are written 1:50000, 3% or 0.03. --frr, --far and --fta \
            are rates by attempt, one sample; the report's rates by attempt are the same ones, measured.

            With --users and --prompts-per-day the report also says how many people a day are affected.

            Independent errors rarely lock out a genuine user. --bad-days adds days with a wet finger or a \
            half-hidden face: that share of all prompts, in runs of --bad-day-length. --frr and --fta are then the \
            rates of the other days, and the report's rates are those of all days.
            """)

    @OptionGroup var profile: ProfileArgument

    @OptionGroup var model: RecognitionOptions

    @Option(help: "Number of samples of the genuine user, and of impostors.")
    var attempts = 100_000

    @Option(help: "Rejections in one prompt until the user gives up; default: the prompt's own limit.")
    var patience: Int?

    @Option(help: "Number of users; the report adds the people a day whom an error affects.")
    var users: Int?

    @Option(help: "Prompts of each user on a day; default: 3.")
    var promptsPerDay: Int?

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
        guard users.map({ (1...1_000_000_000).contains($0) }) ?? true else {
            throw ValidationError("--users must be 1 to 1000000000.")
        }
        guard promptsPerDay.map({ (1...1000).contains($0) }) ?? true else {
            throw ValidationError("--prompts-per-day must be 1 to 1000.")
        }
        try OptionRule.need("--users", users != nil, for: ["--prompts-per-day": promptsPerDay != nil])
    }

    func run() async throws {
        let profile = try profile.read()
        guard var gate = profile.gate, let sensor = gate.sensor else {
            throw CommandError("\(profile.name) has no sensor to measure; choose a profile with a sensor", .badInput)
        }
        if let patience, let own = LockoutRules(gate).attemptsPerPrompt, patience >= own {
            throw CommandError(
                "--patience \(patience) has no effect: a prompt of \(profile.name) ends after "
                    + "\(Wording.counted(own, "attempt")); give a smaller number, or leave the option out", .badInput)
        }
        if sensor.templates.isEmpty { _ = try gate.enrol(BiometricTemplate(id: [1], name: "owner"), at: .zero) }
        let report: StatisticalReport
        let people: PeopleADay?
        let model = try model.model()
        do {
            report = try StatisticalReport.measure(
                gate, model: model, attempts: attempts, seed: seed, patience: patience, level: level)
            people = try users.map { users in
                try PeopleADay.measure(
                    users: users, promptsPerDay: promptsPerDay ?? 3, gate, model: model, prompts: attempts, seed: seed,
                    patience: patience, level: level)
            }
        } catch let error as StatisticalRunError {
            throw CommandError("\(profile.name): \(error)", .badInput)
        }
        try output.write(Report(report: report, people: people)) {
            lines(report, model, of: profile) + (people.map(Self.lines) ?? [])
        }
    }

    /// The report in JSON: the rates, and the people a day if they are asked for.
    private struct Report: Encodable {
        let report: StatisticalReport
        let people: PeopleADay?

        private enum CodingKeys: CodingKey { case people }

        func encode(to encoder: any Encoder) throws {
            try report.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encodeIfPresent(people, forKey: .people)
        }
    }

    /// The given rates, with the names of the report.
    private static func words(_ model: RecognitionModel) -> String {
        let day = model.goodDay
        let other = model.badDays.map { bad in
            "; on \(words(bad.share)) of all prompts, on bad days, FRR by attempt \(words(bad.day.falseRejectRate)), "
                + "failure to acquire \(words(bad.day.failureToAcquireRate))"
        }
        return "Given: FRR by attempt \(words(day.falseRejectRate)), failure to acquire "
            + "\(words(day.failureToAcquireRate)), FAR by attempt \(words(model.falseAcceptRate))" + (other ?? "")
    }

    private static func lines(_ people: PeopleADay) -> [String] {
        var table = TextTable("PEOPLE A DAY", "MEASURED", "INTERVAL")
        for group in people.groups {
            table.add(group.name, number(group.people), "\(number(group.lower)) to \(number(group.upper))")
        }
        let days = "\(people.users) users with \(Wording.counted(people.promptsPerDay, "prompt")) a day each"
        return ["", "\(days), from \(people.days) simulated days", ""] + table.lines
    }

    /// A number of people, with a decimal below ten.
    private static func number(_ people: Double) -> String {
        people == 0 ? "0" : people < 0.01 ? "less than 0.01" : String(format: people < 10 ? "%.2g" : "%.0f", people)
    }

    private func lines(
        _ report: StatisticalReport, _ model: RecognitionModel, of profile: DeviceProfile
    ) -> [String] {
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
            profile.title, Self.words(model),
            "\(attempts) samples of each, seed \(seed), intervals at \(Self.words(level))", "",
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
