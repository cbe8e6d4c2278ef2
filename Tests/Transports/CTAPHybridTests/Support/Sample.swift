import CTAPHybrid
import TestSupport

/// Keys and bytes that are the same in every run.
enum Sample {
    static func key(_ seed: UInt64) -> HybridKey? {
        var generator = SeededGenerator(seed: seed)
        return HybridKey { generator.bytes($0) }
    }

    static func bytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var generator = SeededGenerator(seed: seed)
        return generator.bytes(count)
    }
}
