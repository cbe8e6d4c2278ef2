package import CTAPHybrid

/// A Bluetooth Low Energy advert with service data.
///
/// The room carries the service data without reading it.
package struct Advert: Hashable, Sendable {
    /// The most bytes of service data: an advertising structure has 255 bytes, of which its type and the service's UUID take
    /// three (Bluetooth Core Specification Supplement, part A, 1.11).
    package static let longestServiceData = 252

    /// The service.
    package let service: HybridService
    /// The bytes after the service's UUID; at most ``longestServiceData``.
    package let serviceData: [UInt8]
    /// The sender's address, if the radio knows it.
    package let address: BluetoothAddress?
    /// The strength of the received signal in dBm, if the radio measures it.
    package let signalStrength: Int8?

    /// Creates an advert.
    ///
    /// - Throws: ``RadioError/serviceDataTooLong(_:)`` for more than ``longestServiceData`` bytes.
    package init(
        service: HybridService = .fido, serviceData: [UInt8], address: BluetoothAddress? = nil,
        signalStrength: Int8? = nil
    ) throws(RadioError) {
        guard serviceData.count <= Self.longestServiceData else { throw .serviceDataTooLong(serviceData.count) }
        self.service = service
        self.serviceData = serviceData
        self.address = address
        self.signalStrength = signalStrength
    }
}
