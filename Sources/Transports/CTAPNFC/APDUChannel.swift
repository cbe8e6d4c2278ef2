package import CTAP

/// A connection to a card on a reader.
package protocol APDUChannel: Sendable {
    /// Sends a command APDU and returns the response APDU, status word included.
    ///
    /// - Throws: ``CTAPDeviceError/disconnected(_:)`` when the card or its reader was removed.
    func transmit(_ apdu: [UInt8]) async throws(CTAPDeviceError) -> [UInt8]
}
