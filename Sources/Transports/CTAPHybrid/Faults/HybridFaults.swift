/// The faults of one phone's connection; each method is one place where faults count.
package struct HybridFaults: Hashable, Sendable {
    private let faults: [HybridFault]

    package init(_ faults: [HybridFault] = []) { self.faults = faults }

    private func has(_ fault: HybridFault) -> Bool { faults.contains(fault) }

    /// Whether the tunnel drops in a stage.
    func drops(in stage: HybridStage) -> Bool { has(.tunnelDropped(stage)) }

    /// The secret of the advert's key.
    func eidSecret(_ secret: [UInt8]) -> [UInt8] { has(.eidKeyWrong) ? secret.map { ~$0 } : secret }

    /// The plaintext of the advert.
    func plaintext(_ plaintext: AdvertPlaintext) -> AdvertPlaintext {
        var bytes = plaintext.bytes
        for fault in faults {
            switch fault {
            case .advertReserved(let byte): bytes[0] = byte
            case .advertDomain(let domain): bytes.replaceSubrange(14..., with: domain.rawValue.littleEndianBytes)
            default: break
            }
        }
        return AdvertPlaintext(uncheckedBytes: bytes) ?? plaintext
    }

    /// The advert as it is broadcast; nil for none.
    func advert(_ advert: HybridAdvert) -> HybridAdvert? {
        var advert = advert
        for fault in faults {
            switch fault {
            case .advertMissing: return nil
            case .advertSuffix(let suffix): advert.serviceData = advert.serviceData.prefix(HybridAdvert.length) + suffix
            case .advertServices(let services): advert.services = services
            default: break
            }
        }
        return advert
    }

    func preSharedKey(_ key: [UInt8]) -> [UInt8] { has(.preSharedKeyWrong) ? key.map { ~$0 } : key }

    /// The answer to the handshake; nil for none.
    func handshake(_ answer: [UInt8]) -> [UInt8]? {
        var answer = answer
        for fault in faults {
            switch fault {
            case .handshakeMissing: return nil
            case .handshakeLength(let more) where more > 0:
                answer += [UInt8](repeating: 0, count: min(more, HybridCrypter.longestFrame))
            case .handshakeLength(let more): answer.removeLast(min(answer.count, Int(clamping: more.magnitude)))
            case .handshakeCorrupted: if let last = answer.indices.last { answer[last] ^= 1 }
            default: break
            }
        }
        return answer
    }

    /// The phone's linking information.
    func linking(_ information: LinkingInformation) -> LinkingInformation {
        guard has(.linkingSignatureWrong) else { return information }
        var information = information
        information.signature = information.signature.map { ~$0 }
        return information
    }

    /// The text of the first message and its delay; nil for none.
    func firstMessage(_ message: FirstMessage, _ revision: HybridRevision) -> (text: [UInt8], delay: Duration)? {
        var message = message
        if has(.infoMissing) { message.info = nil }
        let text = has(.firstMessageMalformed) ? [0xFF] : message.encoded(revision)
        let delays = faults.compactMap { if case .firstMessageLate(let delay) = $0 { delay } else { nil } }
        return has(.firstMessageMissing) ? nil : (text, delays.last ?? .zero)
    }

    /// The payload of the update.
    func update(_ payload: [UInt8]) -> [UInt8] { has(.updateMalformed) ? [0xFF] : payload }

    /// The texts of the answer to a command.
    func answer(_ text: [UInt8], _ revision: HybridRevision) -> [[UInt8]] {
        var text = text
        for fault in faults {
            switch fault {
            case .answerMissing: return []
            case .answerType(let type) where revision == .version21: text[0] = type
            case .answerShutdown: return [[0]]
            default: break
            }
        }
        return [[UInt8]](repeating: text, count: has(.answerTwice) ? 2 : 1)
    }

    /// The frame of an answer, and its delay.
    func answerFrame(_ frame: [UInt8]) -> (frame: [UInt8], delay: Duration) {
        var frame = frame
        if has(.answerCorrupted), let last = frame.indices.last { frame[last] ^= 1 }
        let delays = faults.compactMap { if case .answerLate(let delay) = $0 { delay } else { nil } }
        return (frame, delays.last ?? .zero)
    }
}
