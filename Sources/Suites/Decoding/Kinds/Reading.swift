internal import CBOR
internal import CTAP

/// A reading of bytes as one kind.
struct Reading: Sendable {
    let kind: DecodedKind
    /// The degree to which bytes have a kind's form.
    enum Match: Hashable, Sendable {
        case whole
        /// The bytes begin like the kind; the reading shows what is wrong.
        case beginning
        /// Other bytes look the same: the reading is taken only when the user names the kind.
        case forced
    }

    let match: Match
    /// Whether the bytes have the kind's form; a reading that does not fit names the mistakes.
    var fits: Bool { match == .whole }
    var parts: [DecodedPart]
    /// The answer to getInfo.
    var info: CBOR.Value?

    init(_ kind: DecodedKind, match: Match = .whole, _ parts: [DecodedPart], info: CBOR.Value? = nil) {
        (self.kind, self.match, self.parts, self.info) = (kind, match, parts, info)
    }

    init(_ kind: DecodedKind, fits: Bool, _ parts: [DecodedPart]) {
        self.init(kind, match: fits ? .whole : .beginning, parts)
    }

    /// The readings of bytes, the best first: those that fit, then those that only begin like their kind.
    ///
    /// - Parameter command: the command that a response answers; nil for the one that fits best.
    static func all(of bytes: [UInt8], answering command: CTAPCommand? = nil) -> [Reading] {
        let readings = DecodedKind.ofBytes.compactMap { read(bytes, as: $0, answering: command) }
        return readings.filter(\.fits) + readings.filter { $0.match == .beginning }
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
        case .u2f: u2f(bytes)
        case .largeBlobs: largeBlobs(bytes)
        case .hmacSecret: hmacSecret(bytes)
        case .point: point(bytes)
        case .aaguid: aaguid(bytes)
        case .sshKey: sshKey(bytes)
        case .sshSignature: sshSignature(bytes)
        case .sshAttestation: sshAttestation(bytes)
        case .cbor: cbor(bytes)
        case .conversation, .credential, .jwk: nil
        }
    }
}
