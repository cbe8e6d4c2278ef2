internal import CZlib
internal import Machine

extension QRModules {
    /// One bit for each pixel, in grey: 0 is black.
    private static let greyOfOneBit: [UInt8] = [1, 0, 0, 0, 0]

    /// The pixels of a module's side, so that a byte has the pixels of one module.
    private static let scale = 8

    /// A PNG picture with the border, and eight pixels for a module's side (ISO/IEC 15948).
    package var png: [UInt8] {
        var rows: [UInt8] = []
        for row in range {
            // The first byte of a row is its filter, 0 for none.
            let line = [0] + range.map { column -> UInt8 in isDark(column, row) ? 0x00 : 0xFF }
            for _ in 0..<Self.scale { rows += line }
        }
        let size = Self.bytes(UInt32(range.count * Self.scale))
        return PNG.signature + Self.chunk("IHDR", size + size + Self.greyOfOneBit)
            + Self.chunk("IDAT", Self.compressed(rows)) + Self.chunk("IEND", [])
    }

    private static func bytes(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.bigEndian, Array.init) }

    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let content = Array(name.utf8) + data
        let sum = crc32(0, content, UInt32(content.count))
        return bytes(UInt32(data.count)) + content + bytes(UInt32(truncatingIfNeeded: sum))
    }

    private static func compressed(_ data: [UInt8]) -> [UInt8] {
        var count = compressBound(UInt(data.count))
        var compressed = [UInt8](repeating: 0, count: Int(count))
        // The only error is a lack of memory or of room, and `compressBound` gives the room.
        compress2(&compressed, &count, data, UInt(data.count), Z_BEST_COMPRESSION)
        return Array(compressed.prefix(Int(count)))
    }
}
