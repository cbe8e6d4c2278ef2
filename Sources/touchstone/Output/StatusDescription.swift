import DeviceHost
import Devices
import Foundation

/// How a running device is, in words.
enum StatusDescription {
    static func lines(_ status: DeviceStatus) -> [String] {
        var lines: [String] = []
        func add(_ label: String, _ text: String) {
            lines.append(label + String(repeating: " ", count: max(1, 16 - label.count)) + text)
        }
        add("device", "\(status.name) (\(status.profile)), process \(status.processID)")
        if let port = status.udpPort { add("UDP port", "\(port)") }
        if let usb = status.usb { add("USB", describe(usb)) }
        if let isOnReader = status.isOnReader { add("NFC", isOnReader ? "on the reader" : "not on the reader") }
        if let stateFile = status.stateFile { add("state", stateFile) }
        add("up for", String(format: "%.1f s", status.uptimeSeconds))
        if let answer = status.answer { add("answer", answer) }
        if let life = status.life {
            add("screen", "\(life.screen), \(life.network)")
            add("apps", life.apps.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
            if !life.items.isEmpty { add("app secrets", life.items.joined(separator: ", ")) }
        }
        if let waitingFor = status.waitingFor { add("waiting for", waitingFor) }
        if !status.faults.isEmpty { add("faults", status.faults.joined(separator: ", ")) }
        if !status.planned.isEmpty { add("will do", status.planned.joined(separator: ", ")) }
        if let sensor = status.sensor {
            add("sensor", sensor)
            add("enrolled", status.enrolled.isEmpty ? "nobody" : status.enrolled.joined(separator: ", "))
        }
        if let lockout = status.lockout {
            let left = status.lockoutSecondsLeft.map { String(format: " for another %.1f s", $0) } ?? ""
            add("lockout", lockout + left + ", \(status.failedAttempts) failures in a row, \(status.uvRetries) left")
        }
        if status.hasClientPIN {
            add(
                "client PIN",
                (status.isPINSet ? "set" : "not set") + ", \(status.pinRetries) tries left"
                    + (status.needsPowerCycle ? ", blocked until a power cycle" : ""))
        }
        add("credentials", "\(status.credentials.count)")
        for credential in status.credentials {
            lines.append("  \(credential.relyingPartyID)  \(credential.user ?? "-")  count \(credential.signCount)")
        }
        return lines
    }

    private static func describe(_ usb: DeviceStatus.USB) -> String {
        let state = usb.isPluggedIn ? usb.node ?? "no node yet" : "unplugged"
        let identity = USBIdentity(vendorID: usb.vendorID, productID: usb.productID, name: usb.name)
        return "\(identity.id) \(usb.name), \(state)"
    }
}
