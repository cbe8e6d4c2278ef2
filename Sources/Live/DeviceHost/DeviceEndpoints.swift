internal import CTAP
internal import CTAPHID
internal import DeviceProfiles
internal import Foundation
internal import SimulatedDevice
internal import Trace
internal import Transports
internal import WebAuthn

/// The open transports of a running device.
struct DeviceEndpoints: Sendable {
    let udp: UDPEndpoint?
    let usb: UHIDEndpoint?
    let nfc: VPCDEndpoint?

    var isSome: Bool { udp != nil || usb != nil || nfc != nil }

    /// Opens the transports; closes all of them again when one cannot be opened.
    static func open(
        _ connections: DeviceConnections, to device: SimulatedDevice, named name: String, trace: DeviceTrace?
    ) async throws(DeviceHostError) -> DeviceEndpoints {
        func u2f(_ device: (any U2FDevice)?) -> U2FHandler? {
            device.map { u2f in trace?.tracedU2F(u2f.answerU2F) ?? u2f.answerU2F }
        }
        func ctap(over transport: AuthenticatorTransport) -> any CTAPDevice {
            let route = device.ctap(over: transport)
            return trace.map { $0.traced(route) } ?? route
        }
        var usb: UHIDEndpoint?
        var nfc: VPCDEndpoint?
        do {
            if connections.usb {
                usb = try UHIDEndpoint.open(
                    device: ctap(over: .usb), u2f: u2f(device.u2f), identity: device.usbIdentity(of: name),
                    onWink: device.wink, faults: device.transportFaults)
            }
            if let reader = connections.nfc {
                nfc = try await VPCDEndpoint.connect(
                    device: ctap(over: .nfc), u2f: u2f(device.u2f(over: .nfc)), configuration: reader)
            }
            var udp: UDPEndpoint?
            if let configuration = connections.udp {
                do throws(CTAPDeviceError) {
                    udp = try await UDPEndpoint.listen(
                        device: trace?.traced(device.ctap) ?? device.ctap, u2f: u2f(device.u2f),
                        configuration: configuration, onWink: device.wink, faults: device.transportFaults)
                } catch {
                    throw DeviceHostError.portUnavailable(error.detail)
                }
            }
            return DeviceEndpoints(udp: udp, usb: usb, nfc: nfc)
        } catch {
            await usb?.close()
            await nfc?.close()
            if let error = error as? DeviceHostError { throw error }
            throw .cannotListen((error as? CTAPDeviceError)?.detail ?? "\(error)")
        }
    }

    /// Serves until the task is cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            if let udp { group.addTask { await udp.run() } }
            if let usb { group.addTask { await usb.run() } }
            // A device whose reader goes away keeps running.
            if let nfc { group.addTask { try? await nfc.run() } }
        }
    }

    /// Cycles the power on every transport.
    func powerCycle() async {
        await usb?.powerCycle()
        if let nfc, await nfc.isInserted {
            await nfc.remove()
            try? await nfc.insert()
        }
        await udp?.powerCycle()
    }

    func close() async {
        await usb?.close()
        await nfc?.close()
        await udp?.close()
    }
}

extension SimulatedDevice {
    /// The identity on the USB bus: the profile's, or a test identity of pid.codes.
    fileprivate func usbIdentity(of name: String) -> UHIDIdentity {
        let usb = profile.usb ?? USBIdentity(vendorID: 0x1209, productID: 0x0001, name: "Touchstone \(profile.title)")
        return UHIDIdentity(
            name: usb.name, vendorID: usb.vendorID, productID: usb.productID,
            unique: "touchstone-\(name)-\(ProcessInfo.processInfo.processIdentifier)", place: "touchstone/\(name)")
    }
}
