internal import CQRencode
internal import Glibc

/// The modules of a QR code, its dark and light squares (ISO/IEC 18004).
package struct QRModules: Hashable, Sendable {
    /// The width of the light border around a code, in modules.
    package static let quietZone = 4

    /// The number of modules in a row and in a column, without the border.
    package let side: Int
    private let dark: [Bool]

    /// The code of a text, with the lowest level of error correction, as codes on screens have.
    ///
    /// - Throws: ``QRPictureError``.
    package init(text: String) throws(QRPictureError) {
        guard !text.utf8.contains(0) else { throw .zeroByte }
        guard let code = QRcode_encodeString(text, 0, QR_ECLEVEL_L, QR_MODE_8, 1) else {
            throw errno == ERANGE ? .tooLong(text.utf8.count) : .library(String(cString: strerror(errno)))
        }
        defer { QRcode_free(code) }
        side = Int(code.pointee.width)
        // The lowest bit of a module's byte is its colour.
        dark = UnsafeBufferPointer(start: code.pointee.data, count: side * side).map { $0 & 1 == 1 }
    }

    /// Whether a module is dark; those of the border are light.
    package func isDark(_ column: Int, _ row: Int) -> Bool {
        guard (0..<side).contains(column), (0..<side).contains(row) else { return false }
        return dark[row * side + column]
    }

    /// The columns, or rows, of the code with its border.
    var range: Range<Int> { -Self.quietZone..<side + Self.quietZone }
}

/// The reason why there is no picture.
package enum QRPictureError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text has this many bytes.
    case tooLong(Int)
    case zeroByte
    case library(String)

    package var description: String {
        switch self {
        case .tooLong(let count): "the text has \(count) bytes, too many for a QR code; shorten it"
        case .zeroByte: "the text has a byte 0, which a QR code here cannot have; remove it"
        case .library(let problem): "libqrencode makes no QR code: \(problem)"
        }
    }
}
