/// A message in a frame after the first one (CTAP 2.3 §11.5).
package enum HybridFrame: Hashable, Sendable {
    /// Type 0: the other end has finished.
    case shutdown
    /// Type 1: a CTAP command, or its answer with the status.
    case ctap([UInt8])
    /// Type 2: a CBOR map with linking information under key 1.
    case update([UInt8])
    /// Type 3, of Chromium: a request for a digital credential, or its answer.
    case json([UInt8])

    private var typeByte: UInt8 {
        switch self {
        case .shutdown: 0
        case .ctap: 1
        case .update: 2
        case .json: 3
        }
    }

    private var payload: [UInt8] {
        switch self {
        case .shutdown: []
        case .ctap(let payload), .update(let payload), .json(let payload): payload
        }
    }

    /// The text of the frame; nil for a message that revision 2.0 has no form for.
    package func encoded(_ revision: HybridRevision) -> [UInt8]? {
        switch revision {
        case .version21: return [typeByte] + payload
        case .version20:
            guard case .ctap(let message) = self else { return nil }
            return message
        }
    }

    /// Reads the text of a frame.
    ///
    /// - Throws: ``FrameError/empty`` or ``FrameError/unknownType(_:)``.
    package init(_ text: [UInt8], _ revision: HybridRevision) throws(FrameError) {
        guard let first = text.first else { throw .empty }
        guard revision == .version21 else {
            self = .ctap(text)
            return
        }
        let payload = Array(text.dropFirst())
        switch first {
        case 0: self = .shutdown
        case 1:
            guard !payload.isEmpty else { throw .empty }
            self = .ctap(payload)
        case 2: self = .update(payload)
        case 3: self = .json(payload)
        default: throw .unknownType(first)
        }
    }
}

/// The reason for refusing a frame.
package enum FrameError: Error, Hashable, Sendable, CustomStringConvertible {
    case tooShort(Int)
    case tooLong(Int)
    case decryptionFailed
    case padding
    case empty
    case unknownType(UInt8)
    case countersUsedUp

    package var description: String {
        switch self {
        case .tooShort(let count):
            "The frame has length \(count), too short for its tag of 16 bytes. Send whole frames."
        case .tooLong(let count): "The frame has \(count) bytes. Send at most \(HybridCrypter.longestFrame)."
        case .decryptionFailed:
            "The frame does not decrypt. Send each frame once and in order, with this handshake's key."
        case .padding: "The frame's padding is longer than the frame. End the text with the number of zeros before it."
        case .empty: "The frame has no message. Send a type byte and a message."
        case .unknownType(let byte): "The frame's type is \(byte). Send 0 (shutdown), 1 (CTAP) or 2 (update)."
        case .countersUsedUp: "The connection has used up its counters. Connect again."
        }
    }
}
