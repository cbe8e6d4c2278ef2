package import CTAP

/// Carries CTAPHID reports between libfido2 and a key, through libfido2's I/O functions.
///
/// Every call blocks. Calls come from one thread at a time, except ``write(_:)``, which `fido_dev_cancel` calls from
/// another.
package protocol ReportTransport: AnyObject, Sendable {
    /// The next report of 64 bytes from the key; nil when none arrives within this time.
    func read(within milliseconds: Int) throws(CTAPDeviceError) -> [UInt8]?
    /// Sends a report of 64 bytes; false when it could not be sent.
    func write(_ report: [UInt8]) -> Bool
}
