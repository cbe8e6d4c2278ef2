/// The ports that the program's servers take by default.
package enum UsualPort: Int, CaseIterable, Hashable, Sendable {
    /// `touchstone serve`.
    case serve = 8080
    /// `touchstone webdriver`.
    case webDriver = 4444
    /// `touchstone devtools`.
    case devTools = 9222
    /// `touchstone control`.
    case control = 8470
    /// `touchstone device start`, over UDP.
    case device = 8111

    package enum Carrier: String, Hashable, Sendable {
        case tcp = "TCP"
        case udp = "UDP"
    }

    /// The number in commands and addresses.
    package var number: Int { rawValue }

    package var carrier: Carrier { self == .device ? .udp : .tcp }

    /// The use whose command takes it.
    package var use: MachineUse {
        switch self {
        case .serve: .serve
        case .webDriver: .webdriver
        case .devTools: .devtools
        case .control: .control
        case .device: .udp
        }
    }

    /// The option of the commands for another port.
    package var option: String { self == .device ? "--udp" : "--port" }
}
