/// A deliberate fault of a phone, or of the tunnel on its side.
///
/// ``HybridFaults`` applies each in one place of ``HybridAuthenticator``. Faults of the QR code are ``QRFault``, those of the
/// tunnel service ``TunnelFault``.
package enum HybridFault: Hashable, Sendable {
    /// The phone is out of range: its advert does not arrive.
    case advertMissing
    /// The advert belongs to another QR code.
    case eidKeyWrong
    /// The advert's first byte is that of a later version.
    case advertReserved(UInt8)
    /// The advert names this tunnel domain.
    case advertDomain(TunnelDomain)
    /// These bytes follow the advert.
    case advertSuffix([UInt8])
    /// The advert is broadcast under these services.
    case advertServices([HybridService])
    /// The handshake uses another pre-shared key, so the phone refuses the other end.
    case preSharedKeyWrong
    /// The phone is silent after the other end's handshake message.
    case handshakeMissing
    /// The answer to the handshake has this many bytes more, or fewer for a negative number.
    case handshakeLength(Int)
    /// The answer's tag does not match.
    case handshakeCorrupted
    /// The first message comes this time after the handshake.
    case firstMessageLate(Duration)
    case firstMessageMissing
    /// The first message is not CBOR.
    case firstMessageMalformed
    /// The first message has no answer to getInfo.
    case infoMissing
    /// The signature of the linking information does not match.
    case linkingSignatureWrong
    /// The update is not CBOR.
    case updateMalformed
    /// The answer to a command does not decrypt.
    case answerCorrupted
    /// The answer to a command is lost.
    case answerMissing
    /// The answer to a command comes in a frame of this type.
    case answerType(UInt8)
    /// A shutdown, which phones do not send, takes the place of the answer.
    case answerShutdown
    /// The answer to a command comes this time late.
    case answerLate(Duration)
    /// The answer to a command comes twice.
    case answerTwice
    /// The tunnel drops when the phone comes to this stage.
    case tunnelDropped(HybridStage)
    /// Each message of the phone comes this time after the one before it.
    case messagesSlow(Duration)
    /// The phone takes further commands on the same connection.
    case furtherCommands
    /// The phone speaks revision 2.0, with this encryption.
    ///
    /// Revision 2.0 came with the older encryption. Chromium reads revision 2.0 still, but only with CTAP 2.3's encryption.
    case revision20(FrameConstruction)

    /// Whether it is a fault of the link, which a phone gives only to a computer whose code asks for one.
    package var isOfLink: Bool { self == .linkingSignatureWrong || self == .updateMalformed }
}
