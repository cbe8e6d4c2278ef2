/// One DER element: tag, length and content, for the structures no library writes.
func derElement(_ tag: [UInt8], _ content: [UInt8]) -> [UInt8] {
    if content.count < 128 { return tag + [UInt8(content.count)] + content }
    var length: [UInt8] = []
    var rest = content.count
    while rest > 0 {
        length.insert(UInt8(truncatingIfNeeded: rest), at: 0)
        rest >>= 8
    }
    return tag + [0x80 | UInt8(length.count)] + length + content
}
