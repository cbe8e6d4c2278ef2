import DeviceHost
import DeviceProfiles
import Foundation
import SimulatedDevice
import Tables
import Wording

/// The current state of a running device, in words.
enum StatusDescription {
    static func lines(_ answer: DeviceAnswer) -> [String] {
        let status = answer.status
        var table = TextTable()
        func add(_ label: String, _ text: String) { table.add(label, text) }
        add("device", "\(status.name) (\(status.profile)), process \(status.processID)")
        if let port = status.udpPort { add("UDP port", "\(port)") }
        if let usb = status.usb { add("USB", describe(usb)) }
        if let isOnReader = status.isOnReader { add("NFC", isOnReader ? "on the reader" : "not on the reader") }
        if let stateFile = status.stateFile { add("state", stateFile) }
        add("up for", String(format: "%.1f s", status.uptimeSeconds))
        if let text = answer.answer { add("answer", text) }
        if let life = status.life {
            add("screen", "\(life.screen.rawValue), \(life.network.rawValue)")
            add("apps", life.apps.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
            if !life.items.isEmpty { add("app secrets", life.items.joined(separator: ", ")) }
        }
        if let waitingFor = status.waitingFor { add("waiting for", waitingFor) }
        if !status.faults.isEmpty { add("faults", status.faults.joined(separator: ", ")) }
        if !status.planned.isEmpty { add("queued acts", status.planned.joined(separator: ", ")) }
        if let sensors = status.sensors, sensors.count > 1 {
            for sensor in sensors {
                add("sensor", "\(sensor.modality), \(sensor.availability)")
                add("  enrolled", names(sensor.enrolled))
                add("  lockout", lockout(sensor.lockout, sensor.lockoutSecondsLeft, sensor.failedAttempts))
            }
        } else if let sensor = status.sensor {
            add("sensor", sensor)
            add("enrolled", names(status.enrolled))
        }
        if let lockout = status.lockout {
            add(
                "lockout",
                self.lockout(lockout, status.lockoutSecondsLeft, status.failedAttempts)
                    + ", \(Wording.counted(status.uvRetries, "built-in retry", "built-in retries")) left")
        }
        if let credential = status.deviceCredential {
            add("device \(credential.kind)", describe(credential))
        }
        if status.hasClientPIN {
            add(
                "client PIN",
                (status.isPINSet ? "set" : "not set")
                    + ", \(Wording.counted(status.pinRetries, "retry", "retries")) left"
                    + (status.needsPowerCycle ? ", blocked until a power cycle" : ""))
        }
        add("credentials", "\(status.credentials.count)")
        for credential in status.credentials {
            table.add(note: "  \(credential.relyingPartyID)  \(credential.user ?? "-")  count \(credential.signCount)")
        }
        return table.lines
    }

    private static func names(_ enrolled: [String]) -> String {
        enrolled.isEmpty ? "none" : enrolled.joined(separator: ", ")
    }

    private static func lockout(_ label: String, _ secondsLeft: Double?, _ failures: Int) -> String {
        label + (secondsLeft.map { String(format: " for another %.1f s", $0) } ?? "")
            + ", \(Wording.counted(failures, "failure")) in a row"
    }

    private static func describe(_ credential: DeviceStatus.DeviceCredential) -> String {
        var parts = [credential.due.map { "must be entered before a sensor works (\($0))" } ?? "set"]
        parts.append("\(Wording.counted(credential.wrongEntries, "wrong entry", "wrong entries")) in a row")
        if let left = credential.delaySecondsLeft { parts.append(String(format: "locked for another %.1f s", left)) }
        if credential.isDisabled { parts.append("locked permanently") }
        return parts.joined(separator: ", ")
    }

    private static func describe(_ usb: DeviceStatus.USB) -> String {
        let state = usb.isPluggedIn ? usb.node ?? "no node yet" : "unplugged"
        let identity = USBIdentity(vendorID: usb.vendorID, productID: usb.productID, name: usb.name)
        return "\(identity.id) \(usb.name), \(state)"
    }
}
