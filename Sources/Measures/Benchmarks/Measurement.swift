internal import Foundation

/// Values of two pieces of work that run in turn, so that a change of the machine's speed affects both.
struct Measurement: Sendable {
    /// The subject's value of each round.
    private(set) var subject: [Double] = []
    /// The baseline's value of each round.
    private(set) var baseline: [Double] = []

    /// The ratio of each round; a round whose baseline is nothing has none.
    var ratios: [Double] { zip(subject, baseline).filter { $1 > 0 }.map { $0 / $1 } }

    mutating func add(_ subject: Double, over baseline: Double) {
        self.subject.append(subject)
        self.baseline.append(baseline)
    }

    /// Measures rounds after one more for warming up.
    static func rounds(
        _ count: Int, _ round: () async throws -> (subject: Double, baseline: Double)
    ) async rethrows -> Measurement {
        var measurement = Measurement()
        for number in 0...count {
            let values = try await round()
            if number > 0 { measurement.add(values.subject, over: values.baseline) }
        }
        return measurement
    }

    /// Measures the times of rounds after one more for warming up.
    ///
    /// - Parameter repetitions: how often a round runs both pieces of work in turn. It counts the fastest time of each:
    ///   the machine's other work only adds to a time.
    static func pair(
        rounds count: Int, fastestOf repetitions: Int = 1, subject: () async throws -> Void,
        baseline: () async throws -> Void
    ) async rethrows -> Measurement {
        try await rounds(count) {
            var fastest = (subject: Double.infinity, baseline: Double.infinity)
            for _ in 0..<repetitions {
                fastest.subject = min(fastest.subject, try await time(subject))
                fastest.baseline = min(fastest.baseline, try await time(baseline))
            }
            return fastest
        }
    }

    /// The microseconds of a piece of work.
    static func time(_ work: () async throws -> Void) async rethrows -> Double {
        let started = ContinuousClock.now
        try await work()
        return (ContinuousClock.now - started) / .microseconds(1)
    }

    /// The measurement of one of several equal parts of the work.
    func divided(by parts: Int) -> Measurement {
        Measurement(subject: subject.map { $0 / Double(parts) }, baseline: baseline.map { $0 / Double(parts) })
    }
}

/// The spread of values.
package struct Spread: Sendable, Codable {
    /// Half of the values are at most this one.
    package let median: Double
    /// Nine of ten values are at most this one.
    package let ninetieth: Double

    init(_ values: [Double]) {
        let sorted = values.sorted()
        median = sorted.isEmpty ? 0 : sorted[sorted.count / 2]
        ninetieth = sorted.isEmpty ? 0 : sorted[sorted.count * 9 / 10]
    }
}

/// The range that holds the median of the values' distribution with a confidence of at least 95 %.
///
/// Its ends are two of the values: the k-th smallest and the k-th largest. The median is below the k-th smallest of n
/// values if fewer than k of them are below the median, whose probability is that of fewer than k heads in n throws of a
/// coin. So k is the largest number for which this probability is at most 2.5 %. It needs no assumption about the
/// distribution. Fewer than ``fewest`` values have no such k; the range holds all of them then.
package struct Interval: Hashable, Sendable, Codable {
    /// The fewest values of which the range of all has this confidence: 1 - 2 / 2⁶ is 97 %.
    package static let fewest = 6

    package let lower: Double
    package let upper: Double

    init(ofMedian values: [Double]) {
        let sorted = values.sorted()
        let rank = Self.rank(of: sorted.count)
        lower = sorted.isEmpty ? 0 : sorted[rank - 1]
        upper = sorted.isEmpty ? 0 : sorted[sorted.count - rank]
    }

    /// The number k of `count` values; 1 for too few.
    static func rank(of count: Int) -> Int {
        // The probabilities of 0, 1, 2, … heads, as logarithms: 1 / 2ⁿ is too small for a number from 1,075 values on.
        var logarithm = -Double(count) * log(2)
        var below = exp(logarithm)
        var rank = 0
        while below <= 0.025 {
            rank += 1
            logarithm += log(Double(count - rank + 1) / Double(rank))
            below += exp(logarithm)
        }
        return max(1, rank)
    }
}
