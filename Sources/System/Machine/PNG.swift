/// Pictures in the format PNG.
package enum PNG {
    /// The bytes at the beginning of a file (ISO/IEC 15948 §5.2).
    package static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
}
