public import Biometrics

/// The number of people whom a sensor's errors affect on a day.
public struct PeopleADay: Hashable, Sendable, Codable {
    /// The affected people of one kind.
    public struct Group: Hashable, Sendable, Codable {
        /// The event that they meet at least once on the day, such as `a timed lockout`.
        public let name: String
        /// The measured number of people.
        public let people: Double
        /// The lower end of the range that holds the true number, at the report's level.
        public let lower: Double
        /// The upper end.
        public let upper: Double
    }

    /// The number of users.
    public let users: Int
    /// The prompts of each user on a day.
    public let promptsPerDay: Int
    /// The number of simulated days of one user that the figures come from.
    public let days: Int
    /// A prompt that does not verify, a timed lockout and a permanent lockout.
    public let groups: [Group]

    /// Plays days of the genuine user.
    ///
    /// - Parameters:
    ///   - users: the number of users, 1 or more.
    ///   - promptsPerDay: the prompts of each user on a day, 1 or more.
    ///   - gate: the state before the first sample.
    ///   - model: the sensor's error rates.
    ///   - prompts: about the number of prompts to play.
    ///   - seed: the random seed.
    ///   - patience: the rejections after which the user gives up on a prompt.
    ///   - level: the confidence level, above 0.5 and below 1.
    /// - Throws: ``StatisticalRunError`` for a sensor that cannot verify, or prompts that failures never end.
    public static func measure(
        users: Int, promptsPerDay: Int, _ gate: UserVerificationGate, model: RecognitionModel, prompts: Int,
        seed: UInt64, patience: Int? = nil, level: Double = 0.95
    ) throws(StatisticalRunError) -> PeopleADay {
        guard LockoutRules(gate, patience: patience).endEveryPrompt else { throw .endlessPrompts }
        let run = try StatisticalRun(gate: gate, model: model, subject: .genuine, seed: seed, patience: patience)
        let tally = run.play(days: max(1, prompts / max(1, promptsPerDay)), promptsPerDay: promptsPerDay)
        func group(_ name: String, _ count: DayTally.Count) -> Group {
            // Bad days follow each other, so the days of one user are not independent.
            let isClustered = model.badDays != nil && count.days > 0 && count.clusters.count >= 30
            let interval =
                isClustered
                ? ConfidenceInterval.clustered(count.clusters, level: level)
                : ConfidenceInterval.independent(errors: count.days, trials: tally.days, level: level)
            let all = Double(users)
            return Group(
                name: name, people: all * Double(count.days) / Double(tally.days), lower: all * interval.lower,
                upper: all * interval.upper)
        }
        return PeopleADay(
            users: users, promptsPerDay: promptsPerDay, days: tally.days,
            groups: [
                group("a prompt that does not verify", tally.failed), group("a timed lockout", tally.timed),
                group("a permanent lockout", tally.permanent),
            ])
    }
}

/// The counts of days with an error.
public struct DayTally: Hashable, Sendable {
    /// The days of one kind.
    struct Count: Hashable {
        /// The number of days.
        var days = 0
        /// Their number in each stretch of ``daysPerCluster`` days.
        var clusters = ClusterSums()
        fileprivate var sinceCluster = 0

        fileprivate mutating func add(_ isAffected: Bool) {
            days += isAffected ? 1 : 0
            sinceCluster += isAffected ? 1 : 0
        }

        fileprivate mutating func closeCluster(of length: Int) {
            clusters.add(errors: sinceCluster, trials: length)
            sinceCluster = 0
        }
    }

    /// The days after which one stretch says little about the next.
    static let daysPerCluster = 60

    /// The number of days.
    public private(set) var days = 0
    /// Those with a prompt that did not verify.
    private(set) var failed = Count()
    /// Those with a timed lockout.
    private(set) var timed = Count()
    /// Those with a permanent lockout.
    private(set) var permanent = Count()

    mutating func add(failed: Bool, timed: Bool, permanent: Bool) {
        days += 1
        self.failed.add(failed)
        self.timed.add(timed)
        self.permanent.add(permanent)
    }

    mutating func closeCluster() {
        failed.closeCluster(of: Self.daysPerCluster)
        timed.closeCluster(of: Self.daysPerCluster)
        permanent.closeCluster(of: Self.daysPerCluster)
    }
}
