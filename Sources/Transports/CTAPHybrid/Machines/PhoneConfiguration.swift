/// A phone's behaviour on hybrid connections.
package struct PhoneConfiguration: Sendable {
    /// The phone's tunnel service.
    package var domain = TunnelDomain.google
    /// The answer to getInfo, a CBOR map without a status; nil for a phone without CTAP.
    package var info: [UInt8]?
    /// The features in the first message; nil to name none.
    package var features: [String]?
    /// The services of the advert.
    package var services = [HybridService.fido]
    /// The advert's suffix; nil for none.
    package var suffix: AdvertSuffix?
    /// The identity for links; nil for a phone that gives no linking information.
    package var identity: PhoneIdentity?
    package var faults = HybridFaults()

    package init(info: [UInt8]?) { self.info = info }
}

extension HybridRevision {
    /// The encryption of the time of a revision.
    var usualConstruction: FrameConstruction {
        switch self {
        case .version20: .littleEndian
        case .version21: .bigEndian
        }
    }
}
