/// A kind of work that the computer has to be ready for; its value is the name after `touchstone doctor --for`.
package enum MachineUse: String, CaseIterable, Hashable, Sendable {
    case scenario
    case browser
    case phone
    case webdriver
    case devtools
    case usb
    case virtualUSB = "virtual-usb"
    case nfc
    case virtualNFC = "virtual-nfc"
    case udp
    case hybrid
    case bluetooth
    case scan
    case control
    case serve
    case python
    case node

    /// The command, or the client.
    package var command: String { facts.command }

    /// The parts without which it does not work.
    package var needs: [MachineNeed] { facts.needs }

    /// The parts that only some of its options or users need.
    package var extras: [MachineNeed] { facts.extras }

    /// A command's error that ends with the way to learn more.
    package func pointed(_ sentence: String) -> String {
        "\(sentence); `touchstone doctor --for \(rawValue)` says more"
    }

    private struct Facts {
        let command: String
        let needs: [MachineNeed]
        var extras: [MachineNeed] = []
    }

    private var facts: Facts {
        switch self {
        case .scenario: Facts(command: "touchstone scenario run", needs: [.loopback], extras: [.temporaryFiles])
        case .browser:
            Facts(
                command: "touchstone browser", needs: [.chromium, .display, .temporaryFiles, .loopback])
        case .phone:
            Facts(
                command: "touchstone browser --phone",
                needs: [
                    .chromium, .xDisplay, .codeReader, .busDaemon, .temporaryFiles, .runningDevices, .loopback,
                ])
        case .webdriver:
            Facts(
                command: "touchstone webdriver", needs: [.chromeDriver, .webDriverPort, .loopback],
                extras: [.chromium, .firefox, .temporaryFiles])
        case .devtools:
            Facts(
                command: "touchstone devtools", needs: [.chromium, .devToolsPort, .temporaryFiles, .loopback],
                extras: [.display])
        case .usb:
            Facts(command: "touchstone keys --device usb", needs: [.usbKey], extras: [.udevRule, .keptFiles])
        case .virtualUSB:
            Facts(
                command: "touchstone device start --usb", needs: [.uhid, .runningDevices], extras: [.udevRule])
        case .nfc:
            Facts(command: "touchstone keys --device nfc", needs: [.pcscd, .reader], extras: [.keptFiles])
        case .virtualNFC:
            Facts(
                command: "touchstone device start --nfc", needs: [.pcscd, .virtualReader, .runningDevices, .loopback])
        case .udp:
            Facts(command: "touchstone device start", needs: [.devicePort, .runningDevices, .loopback])
        case .hybrid:
            Facts(
                command: "touchstone keys --device hybrid:", needs: [.runningDevices, .loopback],
                extras: [.keptFiles])
        case .bluetooth:
            Facts(
                command: "touchstone keys --device hybrid:bluez", needs: [.systemBus, .bluetooth],
                extras: [.keptFiles])
        case .scan:
            Facts(
                command: "touchstone device scan", needs: [.codeReader, .runningDevices, .loopback],
                extras: [.xDisplay])
        case .control: Facts(command: "touchstone control", needs: [.controlPort, .loopback])
        case .serve: Facts(command: "touchstone serve", needs: [.servePort, .loopback])
        case .python: Facts(command: "the Python client", needs: [.python, .loopback])
        case .node: Facts(command: "the JavaScript client", needs: [.node, .loopback])
        }
    }
}
