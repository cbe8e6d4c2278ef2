/// The faults of one phone's connection; each method is one place where faults count.
package struct HybridFaults: Hashable, Sendable {
    private let faults: [HybridFault]
    /// The faults that had an effect, in order, until ``takeApplied()``.
    private var applied: [HybridFault] = []
    private var everApplied: Set<HybridFault> = []

    package init(_ faults: [HybridFault] = []) { self.faults = faults }

    /// The faults that had their first effect since the last call.
    mutating func takeApplied() -> [HybridFault] {
        defer { applied = [] }
        return applied
    }

    private mutating func note(_ fault: HybridFault) {
        if everApplied.insert(fault).inserted { applied.append(fault) }
    }

    /// Whether a fault is there, which then has its effect.
    private mutating func strikes(_ fault: HybridFault) -> Bool {
        guard faults.contains(fault) else { return false }
        note(fault)
        return true
    }

    /// The first value that a fault has, which then has its effect.
    private mutating func value<Value>(_ value: (HybridFault) -> Value?) -> Value? {
        for fault in faults {
            guard let found = value(fault) else { continue }
            note(fault)
            return found
        }
        return nil
    }

    /// The sum of the delays that faults cause.
    private mutating func delay(_ delay: (HybridFault) -> Duration?) -> Duration {
        var sum = Duration.zero
        for fault in faults {
            guard let found = delay(fault) else { continue }
            note(fault)
            sum += found
        }
        return sum
    }

    /// The encryption of a phone that speaks revision 2.0; nil for one that speaks what the code asks for.
    mutating func revision20() -> FrameConstruction? {
        value { if case .revision20(let construction) = $0 { construction } else { nil } }
    }

    /// Whether the phone takes a command after its first.
    mutating func takesFurtherCommands() -> Bool { strikes(.furtherCommands) }

    /// Whether the tunnel drops in a stage.
    mutating func drops(in stage: HybridStage) -> Bool { strikes(.tunnelDropped(stage)) }

    /// The secret of the advert's key.
    mutating func eidSecret(_ secret: [UInt8]) -> [UInt8] { strikes(.eidKeyWrong) ? secret.map { ~$0 } : secret }

    /// The plaintext of the advert.
    mutating func plaintext(_ plaintext: AdvertPlaintext) -> AdvertPlaintext {
        var bytes = plaintext.bytes
        if let byte = value({ if case .advertReserved(let byte) = $0 { byte } else { nil } }) { bytes[0] = byte }
        if let domain = value({ if case .advertDomain(let domain) = $0 { domain } else { nil } }) {
            bytes.replaceSubrange(14..., with: domain.rawValue.littleEndianBytes)
        }
        return AdvertPlaintext(uncheckedBytes: bytes) ?? plaintext
    }

    /// The advert as it is broadcast; nil for none.
    mutating func advert(_ advert: HybridAdvert) -> HybridAdvert? {
        guard !strikes(.advertMissing) else { return nil }
        var advert = advert
        if let suffix = value({ if case .advertSuffix(let suffix) = $0 { suffix } else { nil } }) {
            advert.serviceData = advert.serviceData.prefix(HybridAdvert.length) + suffix
        }
        if let services = value({ if case .advertServices(let services) = $0 { services } else { nil } }) {
            advert.services = services
        }
        return advert
    }

    mutating func preSharedKey(_ key: [UInt8]) -> [UInt8] { strikes(.preSharedKeyWrong) ? key.map { ~$0 } : key }

    /// The answer to the handshake; nil for none.
    mutating func handshake(_ answer: [UInt8]) -> [UInt8]? {
        guard !strikes(.handshakeMissing) else { return nil }
        var answer = answer
        switch value({ if case .handshakeLength(let more) = $0 { more } else { nil } }) {
        case let more? where more > 0: answer += [UInt8](repeating: 0, count: min(more, HybridCrypter.longestFrame))
        case let more?: answer.removeLast(min(answer.count, Int(clamping: more.magnitude)))
        case nil: break
        }
        if let last = answer.indices.last, strikes(.handshakeCorrupted) { answer[last] ^= 1 }
        return answer
    }

    /// The phone's linking information.
    mutating func linking(_ information: LinkingInformation) -> LinkingInformation {
        guard strikes(.linkingSignatureWrong) else { return information }
        var information = information
        information.signature = information.signature.map { ~$0 }
        return information
    }

    /// The text of the first message and its delay; nil for none.
    mutating func firstMessage(_ message: FirstMessage, _ revision: HybridRevision) -> (text: [UInt8], delay: Duration)?
    {
        guard !strikes(.firstMessageMissing) else { return nil }
        var message = message
        if strikes(.infoMissing) { message.info = nil }
        let text = strikes(.firstMessageMalformed) ? [0xFF] : message.encoded(revision)
        return (text, delay { if case .firstMessageLate(let delay) = $0 { delay } else { nil } })
    }

    /// The payload of the update.
    mutating func update(_ payload: [UInt8]) -> [UInt8] { strikes(.updateMalformed) ? [0xFF] : payload }

    /// The texts of the answer to a command.
    mutating func answer(_ text: [UInt8], _ revision: HybridRevision) -> [[UInt8]] {
        guard !strikes(.answerMissing) else { return [] }
        guard !strikes(.answerShutdown) else { return [[0]] }
        var text = text
        if revision == .version21, let type = value({ if case .answerType(let type) = $0 { type } else { nil } }) {
            text[0] = type
        }
        return [[UInt8]](repeating: text, count: strikes(.answerTwice) ? 2 : 1)
    }

    /// The frame of an answer, and its delay.
    mutating func answerFrame(_ frame: [UInt8]) -> (frame: [UInt8], delay: Duration) {
        var frame = frame
        if let last = frame.indices.last, strikes(.answerCorrupted) { frame[last] ^= 1 }
        return (frame, delay { if case .answerLate(let delay) = $0 { delay } else { nil } })
    }

    /// The delay of each message, beside its own.
    mutating func messageDelay() -> Duration {
        delay { if case .messagesSlow(let delay) = $0 { delay } else { nil } }
    }
}
