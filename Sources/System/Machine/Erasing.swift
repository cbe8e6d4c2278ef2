internal import Foundation

extension [UInt8] {
    /// Overwrites a secret, whose memory would otherwise keep it until it is used again.
    package mutating func erase() {
        withUnsafeMutableBytes { bytes in
            // Unlike memset, the compiler may not leave it out.
            if let start = bytes.baseAddress { explicit_bzero(start, bytes.count) }
        }
        self = []
    }
}
