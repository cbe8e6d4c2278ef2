internal import Foundation
public import Testing

/// The two rings of tests: `make test` proves each fact once, `make verify` runs everything.
public enum Ring {
    /// Whether everything runs: `TEST_RING=all`, which `make verify` sets.
    public static let isWhole = ProcessInfo.processInfo.environment["TEST_RING"] == "all"

    /// The seed of samples: `TEST_SEED`, which `make test` takes from the commit; default: 1.
    public static let seed = ProcessInfo.processInfo.environment["TEST_SEED"].flatMap { UInt64($0) } ?? 1

    /// The rounds of a test with random input: `whole` in `make verify`, a tenth in `make test`.
    public static func rounds(_ whole: Int) -> Int { isWhole ? whole : max(1, whole / 10) }

    /// Every element in `make verify`, a seeded sample in `make test`, in the same order.
    ///
    /// - Parameter count: The elements of the sample.
    public static func sample<Element>(_ all: [Element], _ count: Int) -> [Element] {
        guard !isWhole, count < all.count else { return all }
        var generator = SplitMix(state: seed)
        return all.indices.shuffled(using: &generator).prefix(count).sorted().map { all[$0] }
    }

    /// A generator whose numbers depend on the seed alone.
    private struct SplitMix: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }
}

extension Trait where Self == ConditionTrait {
    /// A test that `make verify` runs and `make test` leaves out: another test proves its fact faster.
    public static var onlyInVerify: Self { .enabled(if: Ring.isWhole, "make verify runs it") }
}
