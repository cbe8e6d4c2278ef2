/// One DER element: tag, length and content, for the structures no library writes.
func derElement(_ tag: [UInt8], _ content: [UInt8]) -> [UInt8] {
    let count = content.count
    let length: [UInt8] =
        switch count {
        case 0..<128: [UInt8(count)]
        case 128..<256: [0x81, UInt8(count)]
        default: [0x82, UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)]
        }
    return tag + length + content
}
