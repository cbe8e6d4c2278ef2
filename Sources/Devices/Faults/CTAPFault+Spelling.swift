internal import CTAP

extension CTAPFault {
    /// The fault as people write it, value, command and condition included.
    package var spelling: String {
        var text = name
        switch kind {
        case .status(let status), .refused(let status): text += ":\(Self.spelling(status))"
        case .statusSwapped(let from, let to): text += ":\(Self.spelling(from))=\(Self.spelling(to))"
        case .late(let delay): text += ":\(delay / .seconds(1))"
        default: break
        }
        if let command { text += " on \(Fault.spelling(command) ?? "0x\(String(command.rawValue, radix: 16))")" }
        switch condition {
        case .number(let key, let value)?: text += " where \(key)=\(value)"
        case .empty(let key)?: text += " where \(key)=empty"
        case nil: break
        }
        return text
    }

    private static func spelling(_ status: CTAPStatus) -> String {
        status.name ?? "0x" + String(status.rawValue, radix: 16, uppercase: true)
    }
}

extension CTAPFault.Kind {
    /// Whether the answer is what it was, but late.
    var isDelay: Bool { if case .late = self { true } else { false } }
}
