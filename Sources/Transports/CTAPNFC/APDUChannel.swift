package import CTAP

/// A connection to a card on a reader.
package protocol APDUChannel: Sendable {
    /// Returns the response with its status word; ``CTAPDeviceError/disconnected(_:)`` when card or reader was removed.
    func transmit(_ apdu: [UInt8]) async throws(CTAPDeviceError) -> [UInt8]
}
