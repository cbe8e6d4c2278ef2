internal import CZlib

/// DEFLATE without header and checksum (RFC 1951), the compression of large blobs (CTAP 2.3 §6.10.3).
enum Deflate {
    /// The longest inflated blob accepted: a device could announce more than there is memory.
    private static let largestBlob = 1 << 24

    /// Negative: the largest window, without the zlib format around the stream.
    private static let windowBits: Int32 = -15
    private static let memoryLevel: Int32 = 8

    /// The compressed form; nil for 4 GiB and more, and when there is no memory.
    static func compress(_ bytes: [UInt8]) -> [UInt8]? {
        guard let length = UInt32(exactly: bytes.count) else { return nil }
        var stream = z_stream()
        guard
            deflateInit2_(
                &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, windowBits, memoryLevel, Z_DEFAULT_STRATEGY,
                zlibVersion(), Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { return nil }
        defer { deflateEnd(&stream) }
        let bound = Int(deflateBound(&stream, UInt(length)))
        guard let room = UInt32(exactly: bound) else { return nil }
        var input = bytes
        var status = Z_STREAM_ERROR
        let output = [UInt8](unsafeUninitializedCapacity: bound) { buffer, filled in
            input.withUnsafeMutableBufferPointer { source in
                stream.next_in = source.baseAddress
                stream.avail_in = length
                stream.next_out = buffer.baseAddress
                stream.avail_out = room
                status = deflate(&stream, Z_FINISH)
            }
            filled = bound - Int(stream.avail_out)
        }
        return status == Z_STREAM_END ? output : nil
    }

    /// The content of a stream; nil unless the stream is complete and inflates to exactly `count` bytes.
    static func decompress(_ bytes: [UInt8], count: Int) -> [UInt8]? {
        guard count <= largestBlob, let length = UInt32(exactly: bytes.count) else { return nil }
        var stream = z_stream()
        guard inflateInit2_(&stream, windowBits, zlibVersion(), Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            return nil
        }
        defer { inflateEnd(&stream) }
        var input = bytes
        var output: [UInt8] = []
        return input.withUnsafeMutableBufferPointer { source -> [UInt8]? in
            stream.next_in = source.baseAddress
            stream.avail_in = length
            // In pieces, because the stated length is not trustworthy.
            while output.count <= count {
                var status = Z_STREAM_ERROR
                output += [UInt8](unsafeUninitializedCapacity: pieceLength) { buffer, filled in
                    stream.next_out = buffer.baseAddress
                    stream.avail_out = UInt32(pieceLength)
                    status = inflate(&stream, Z_NO_FLUSH)
                    filled = pieceLength - Int(stream.avail_out)
                }
                if status == Z_STREAM_END { return output.count == count ? output : nil }
                guard status == Z_OK else { return nil }
            }
            return nil
        }
    }

    private static let pieceLength = 4096
}
