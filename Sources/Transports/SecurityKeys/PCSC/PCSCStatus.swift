internal import CPCSC
internal import CTAP
internal import MachineNeeds

/// The return code of a PC/SC function.
struct PCSCStatus: Hashable {
    /// The code; pcsc-lite keeps its 32 bits in a `LONG` of 64.
    let code: UInt32

    init(_ code: LONG) { self.code = UInt32(truncatingIfNeeded: code) }

    private init(code: UInt32) { self.code = code }

    static let success = PCSCStatus(code: 0)
    static let cancelled = PCSCStatus(code: 0x8010_0002)
    static let bufferTooSmall = PCSCStatus(code: 0x8010_0008)
    static let unknownReader = PCSCStatus(code: 0x8010_0009)
    static let timeout = PCSCStatus(code: 0x8010_000A)
    static let sharingViolation = PCSCStatus(code: 0x8010_000B)
    static let noCard = PCSCStatus(code: 0x8010_000C)
    static let notTransacted = PCSCStatus(code: 0x8010_0016)
    static let readerUnavailable = PCSCStatus(code: 0x8010_0017)
    static let noService = PCSCStatus(code: 0x8010_001D)
    static let serviceStopped = PCSCStatus(code: 0x8010_001E)
    static let noReaders = PCSCStatus(code: 0x8010_002E)
    static let communicationError = PCSCStatus(code: 0x8010_0013)
    static let protocolMismatch = PCSCStatus(code: 0x8010_000F)
    static let unresponsive = PCSCStatus(code: 0x8010_0066)
    static let unpowered = PCSCStatus(code: 0x8010_0067)
    static let wasReset = PCSCStatus(code: 0x8010_0068)
    static let removed = PCSCStatus(code: 0x8010_0069)
    static let securityViolation = PCSCStatus(code: 0x8010_006A)

    func check(_ reader: String? = nil) throws(CTAPDeviceError) {
        guard self != .success else { return }
        throw error(reader)
    }

    private func error(_ reader: String?) -> CTAPDeviceError {
        let place = reader.map { "the reader \($0)" } ?? "the reader"
        return switch self {
        case .noService, .serviceStopped:
            .disconnected(
                MachineUse.nfc.pointed("pcscd is not running; \(MachineNeed.pcscd.installation) and start it"))
        case .securityViolation:
            .disconnected(MachineUse.nfc.pointed("pcscd denies this user access to readers; change its polkit rules"))
        case .unknownReader, .readerUnavailable: .disconnected("\(place) was not found")
        case .noReaders: .disconnected(MachineUse.nfc.pointed("no reader was found; plug one in"))
        case .noCard: .disconnected("no card is on \(place)")
        case .removed: .disconnected("the card was removed from \(place)")
        case .notTransacted, .communicationError:
            .disconnected("the card on \(place) stopped answering; it may have been removed")
        case .wasReset: .disconnected("another program reset the card on \(place)")
        case .unresponsive, .unpowered: .disconnected("the card on \(place) does not respond")
        case .protocolMismatch: .protocolViolation("the card on \(place) supports neither T=0 nor T=1")
        case .sharingViolation: .busy
        default: .disconnected("\(place) failed: \(message)")
        }
    }

    private var message: String {
        let text = pcsc_stringify_error(LONG(bitPattern: UInt(code))).map { String(cString: $0) } ?? "unknown error"
        return "\(text) (0x\(String(code, radix: 16, uppercase: true)))"
    }
}
