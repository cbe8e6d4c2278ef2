internal import Foundation

/// A pipe that ends the wait of a connection's thread.
final class BusWakePipe: Sendable {
    /// The end for the waiting thread.
    let reader: CInt
    private let writer: CInt

    /// A pipe; nil when the process has no descriptors left.
    init?() {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        reader = ends[0]
        writer = ends[1]
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
    }

    deinit {
        close(reader)
        close(writer)
    }

    /// Ends the current or the next wait.
    func wake() {
        var byte: UInt8 = 0
        // A full pipe wakes the thread too.
        _ = write(writer, &byte, 1)
    }

    /// Empties the pipe.
    func drain() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(reader, &bytes, bytes.count) > 0 {}
    }
}
