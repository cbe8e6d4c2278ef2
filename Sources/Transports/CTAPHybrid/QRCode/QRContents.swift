internal import CBOR

/// The contents of a FIDO QR code (CTAP 2.3 §11.5.1).
///
/// A canonical CBOR map, as digits after `FIDO:/`:
///
/// | key | value |
/// |---|---|
/// | 0 | the other end's P-256 public key, compressed X9.62, 33 bytes |
/// | 1 | the QR secret, 16 bytes |
/// | 2 | the number of assigned tunnel domains it knows |
/// | 3 | the time at which the code was made, seconds since the Unix epoch |
/// | 4 | whether it can perform state-assisted transactions |
/// | 5 | the hint about the request, ``QROperation`` |
/// | 6 | ``QRKeySix`` |
///
/// Older programs omit the keys from 2 on. Unknown keys are ignored.
package struct QRContents: Hashable, Sendable {
    /// The keys of the map.
    package enum Key: Int, Hashable, Sendable, CaseIterable {
        case publicKey, secret, knownDomains, timestamp, stateAssisted, operation, channels
    }

    /// The beginning of the text; its case does not matter.
    package static let prefix = "FIDO:/"
    /// The number of bytes in the secret.
    package static let secretLength = 16

    package var publicKey: HybridPublicKey
    package var secret: [UInt8]
    package var knownDomains: UInt64?
    /// Seconds since the Unix epoch.
    package var timestamp: UInt64?
    package var supportsStateAssisted: Bool?
    package var operation: QROperation?
    package var keySix: QRKeySix?

    /// Contents with the assigned domains that this project knows.
    ///
    /// - Throws: ``QRError/secretLength(_:)``.
    package init(
        publicKey: HybridPublicKey, secret: [UInt8], timestamp: UInt64?, supportsStateAssisted: Bool? = false,
        operation: QROperation? = .getAssertion, keySix: QRKeySix? = nil
    ) throws(QRError) {
        guard secret.count == Self.secretLength else { throw .secretLength(secret.count) }
        self.publicKey = publicKey
        self.secret = secret
        knownDomains = UInt64(TunnelDomain.assignedHosts.count)
        self.timestamp = timestamp
        self.supportsStateAssisted = supportsStateAssisted
        self.operation = operation
        self.keySix = keySix
    }

    /// The text of the code: `FIDO:/` and the digits.
    package var text: String { Self.prefix + QRDigits.encode(encoded) }

    /// The CBOR map.
    package var encoded: [UInt8] { CBOR.encode(.map(map)) }

    var map: CBOR.Map {
        var map = CBOR.Map()
        map[Key.publicKey.item] = .bytes(publicKey.compressed)
        map[Key.secret.item] = .bytes(secret)
        map[Key.knownDomains.item] = knownDomains.map { .unsigned($0) }
        map[Key.timestamp.item] = timestamp.map { .unsigned($0) }
        map[Key.stateAssisted.item] = supportsStateAssisted.map { .bool($0) }
        map[Key.operation.item] = operation.map { .text($0.rawValue) }
        map[Key.channels.item] = keySix?.value
        return map
    }

    /// The operation that a phone assumes; ``QROperation/getAssertion`` without a hint.
    package var effectiveOperation: QROperation { operation?.effective ?? .getAssertion }

    /// Whether the data may go through a tunnel service, the only channel before CTAP 2.3.
    package var admitsWebSocket: Bool {
        guard case .channels(let channels)? = keySix else { return true }
        return channels.contains(.webSocket)
    }

    /// The time since the code was made; negative for a time in the future, nil without a time.
    ///
    /// - Parameter now: the time since the Unix epoch.
    package func age(at now: Duration) -> Duration? {
        timestamp.map { now - .seconds(Int64(clamping: $0)) }
    }

    /// Refuses a code that is too old, or that is made in the future; a code without a time is accepted.
    ///
    /// - Parameters:
    ///   - now: the time since the Unix epoch.
    ///   - limit: the greatest age.
    ///   - tolerance: the greatest difference of the clocks.
    /// - Throws: ``QRError/expired(age:limit:)`` or ``QRError/fromTheFuture(_:)``.
    package func checkAge(
        at now: Duration, limit: Duration, tolerance: Duration = .seconds(60)
    ) throws(QRError) {
        guard let age = age(at: now) else { return }
        guard age <= limit else { throw .expired(age: age, limit: limit) }
        guard age >= .zero - tolerance else { throw .fromTheFuture(.zero - age) }
    }
}

extension QRContents.Key: CustomStringConvertible {
    package var description: String {
        switch self {
        case .publicKey: "The public key (key 0)"
        case .secret: "The secret (key 1)"
        case .knownDomains: "The number of known tunnel domains (key 2)"
        case .timestamp: "The time (key 3)"
        case .stateAssisted: "The flag for state-assisted transactions (key 4)"
        case .operation: "The hint about the request (key 5)"
        case .channels: "The list of channels (key 6)"
        }
    }

    var item: CBOR.Value { .integer(rawValue) }

    var expected: String {
        switch self {
        case .publicKey, .secret: CBOR.Kind.byteString.withArticle
        case .knownDomains, .timestamp: CBOR.Kind.unsignedInteger.withArticle
        case .stateAssisted: CBOR.Kind.boolean.withArticle
        case .operation: CBOR.Kind.textString.withArticle
        case .channels: "\(CBOR.Kind.array.withArticle) or \(CBOR.Kind.boolean.withArticle)"
        }
    }
}
