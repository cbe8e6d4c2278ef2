internal import COSE
internal import Foundation
internal import Synchronization

/// The operating system's randomness.
public struct SystemRandomSource: RandomSource {
    /// The operating system's source.
    public init() {}

    /// Random bytes of the operating system.
    public func bytes(_ count: Int) -> [UInt8] {
        // One system call for all bytes.
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            if let start = buffer.baseAddress { arc4random_buf(start, count) }
            filled = count
        }
    }
}

/// A sequence of bytes determined by a seed: SHA-256 of the seed and a counter.
///
/// For reproducible runs, never for secrets.
public final class SeededRandomSource: RandomSource {
    private struct State {
        var counter: UInt64 = 0
        var buffer: [UInt8] = []
    }

    private let seed: UInt64
    private let state = Mutex(State())

    /// The sequence of a seed.
    public init(seed: UInt64) { self.seed = seed }

    /// The next bytes of the sequence.
    public func bytes(_ count: Int) -> [UInt8] {
        state.withLock { state in
            while state.buffer.count < count {
                var block: [UInt8] = []
                withUnsafeBytes(of: seed.bigEndian) { block += $0 }
                withUnsafeBytes(of: state.counter.bigEndian) { block += $0 }
                state.buffer += sha256(block)
                state.counter &+= 1
            }
            let result = Array(state.buffer.prefix(count))
            state.buffer.removeFirst(count)
            return result
        }
    }
}

/// Random bytes that were taken from a source in advance, then the source's own.
///
/// The bytes are those of the source itself, if the caller uses every byte taken in advance.
struct RandomBuffer {
    private let source: any RandomSource
    private var taken: ArraySlice<UInt8>

    init(_ source: any RandomSource, inAdvance count: Int) {
        self.source = source
        taken = source.bytes(count)[...]
    }

    mutating func bytes(_ count: Int) -> [UInt8] {
        guard count <= taken.count else {
            defer { taken = [] }
            return Array(taken) + source.bytes(count - taken.count)
        }
        defer { taken.removeFirst(count) }
        return Array(taken.prefix(count))
    }
}
