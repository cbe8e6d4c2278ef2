/// A part of the computer that some commands use; its value is its name in reports.
package enum MachineNeed: String, CaseIterable, Hashable, Sendable {
    case loopback
    case temporaryFiles = "temporary-files"
    case runningDevices = "running-devices"
    case keptFiles = "kept-files"
    case chromium
    case chromeDriver = "chromedriver"
    case firefox
    case display
    case xDisplay = "x-display"
    case codeReader = "zbarimg"
    case busDaemon = "dbus-daemon"
    case usbKey = "usb-key"
    case udevRule = "udev-rule"
    case uhid
    case pcscd
    case reader
    case virtualReader = "vpcd"
    case systemBus = "system-bus"
    case bluetooth
    case python
    case node
    case servePort = "serve-port"
    case webDriverPort = "webdriver-port"
    case devToolsPort = "devtools-port"
    case controlPort = "control-port"
    case devicePort = "device-port"

    /// The part in words, as the subject of a sentence.
    package var title: String { facts.title }

    /// The names under which its program is installed, the preferred one first; empty for a part that is not a program.
    package var programs: [String] { facts.programs }

    /// The oldest version that works; nil for any.
    package var oldestVersion: [Int]? { facts.oldestVersion }

    /// The port that it is; nil for another part.
    package var port: UsualPort? {
        switch self {
        case .servePort: .serve
        case .webDriverPort: .webDriver
        case .devToolsPort: .devTools
        case .controlPort: .control
        case .devicePort: .device
        default: nil
        }
    }

    /// The uses that need it, or are better with it.
    package var uses: [MachineUse] {
        MachineUse.allCases.filter { $0.needs.contains(self) || $0.extras.contains(self) }
    }

    /// The error of a command whose program is missing.
    ///
    /// - Parameters:
    ///   - use: the use of the command.
    ///   - name: the program's name, where the user gave it.
    package func absence(for use: MachineUse, named name: String? = nil) -> String {
        let otherwise = facts.otherwise.map { ", or \($0)" } ?? ""
        return use.pointed("\(name ?? facts.title) was not found on PATH; \(installation)\(otherwise)")
    }

    /// The advice to install it, for an error on any system.
    package var installation: String {
        "install it" + (facts.packages.map { " (on Debian, apt install \($0.onDebian))" } ?? "")
    }

    /// The command that makes a part at rest work, for root or the user; nil for a part without one.
    package var activation: String? {
        switch self {
        case .uhid: "modprobe uhid"
        case .bluetooth: "bluetoothctl power on"
        default: nil
        }
    }
}

/// The facts about a part that reports and errors have in common.
struct NeedFacts {
    let title: String
    var programs: [String] = []
    var oldestVersion: [Int]?
    var packages: Packages?
    /// A way to do without the installation.
    var otherwise: String?
}
