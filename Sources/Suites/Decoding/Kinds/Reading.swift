internal import CBOR
internal import CTAP

/// A reading of bytes as one kind.
struct Reading: Sendable {
    let kind: DecodedKind
    /// Whether the bytes have the kind's form; a reading that does not fit shows what is wrong.
    let fits: Bool
    var parts: [DecodedPart]
    /// The answer to getInfo.
    var info: CBOR.Value?

    init(_ kind: DecodedKind, fits: Bool = true, _ parts: [DecodedPart], info: CBOR.Value? = nil) {
        (self.kind, self.fits, self.parts, self.info) = (kind, fits, parts, info)
    }

    /// The readings of bytes, the best first: those that fit, then those that only begin like their kind.
    ///
    /// - Parameter command: the command that a response answers; nil for the one that fits best.
    static func all(of bytes: [UInt8], answering command: CTAPCommand? = nil) -> [Reading] {
        let readings = DecodedKind.ofBytes.compactMap { read(bytes, as: $0, answering: command) }
        return readings.filter(\.fits) + readings.filter { !$0.fits }
    }

    /// The bytes as one kind; nil for bytes of another kind.
    static func read(_ bytes: [UInt8], as kind: DecodedKind, answering command: CTAPCommand? = nil) -> Reading? {
        switch kind {
        case .certificate: certificate(bytes)
        case .publicKey: publicKey(bytes)
        case .signature: signature(bytes)
        case .clientData: clientData(bytes)
        case .attestationObject: attestationObject(bytes)
        case .coseKey: coseKey(bytes)
        case .getInfo: getInfo(bytes)
        case .reports: reports(bytes)
        case .request: request(bytes)
        case .response: response(bytes, to: command)
        case .command: commandAPDU(bytes)
        case .answer: responseAPDU(bytes, to: command)
        case .authenticatorData: authenticatorData(bytes)
        case .cbor: cbor(bytes)
        case .conversation, .credential: nil
        }
    }
}
