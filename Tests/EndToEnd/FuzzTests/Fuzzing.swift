import Foundation
import TestSupport

/// The number of inputs and their seed, which `make fuzz` and `make soak` set.
///
/// 200,000 inputs to nine commands in `make verify` and 40,000 in `make test`, divided among them, or as many as the
/// environment variable TEST_FUZZ_INPUTS says, from the seed that TEST_FUZZ_SEED says; the other tests have their share of them.
enum Fuzzing {
    static let inputs = number("TEST_FUZZ_INPUTS") ?? (Ring.isWhole ? usualInputs : 40_000)
    static let seed = number("TEST_FUZZ_SEED") ?? usualSeed
    private static let usualInputs = 200_000
    private static let usualSeed = 5

    private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }

    /// The rounds of a test that usually has `usual` of them.
    static func rounds(_ usual: Int) -> Int { max(1, usual * inputs / usualInputs) }

    /// Each pair of a test and a seed has its own sequence of numbers.
    static func generator(_ number: Int) -> SeededGenerator {
        SeededGenerator(seed: UInt64(truncatingIfNeeded: number &+ (seed &- usualSeed) &* 256))
    }
}
