internal import CTAPHybrid
internal import Foundation
package import HybridLink
internal import HybridTunnel
package import Radio

/// The surroundings in which Chromium's own dialog reaches a simulated phone: a private bus with a pretended BlueZ, and a tunnel
/// service on 127.0.0.1.
package struct HybridSurroundings: Sendable {
    /// The way of a phone to the browser.
    package let way: HybridWay
    /// The Bluetooth adapter that the browser finds.
    package let bluetooth: PretendedBlueZ
    private let bus: BusDaemon
    private let tunnel: TunnelService

    /// Starts them; ``stop()`` ends them.
    ///
    /// - Throws: ``BrowserError`` that names a missing part.
    package static func start() async throws -> HybridSurroundings {
        try ScreenCodes.requireProgram()
        guard !(ProcessInfo.processInfo.environment["DISPLAY"] ?? "").isEmpty else {
            throw BrowserError(
                "DISPLAY is not set, so that the QR code cannot be read from the screen; run the command in a desktop session "
                    + "with X, or with xvfb-run before it")
        }
        let authority = try TunnelAuthority(hosts: TunnelDomain.assignedHosts, now: Date())
        let tunnel = try await TunnelService.start(authority: authority) { count in
            (0..<count).map { _ in .random(in: .min ... .max) }
        }
        do {
            let bus = try await BusDaemon.start()
            do {
                let bluetooth = try await PretendedBlueZ.start(
                    on: bus.address, generator: SystemRandomNumberGenerator())
                return HybridSurroundings(
                    way: HybridWay(radio: bluetooth, tunnel: TunnelClient(to: tunnel)), bluetooth: bluetooth, bus: bus,
                    tunnel: tunnel)
            } catch {
                await bus.stop()
                throw error
            }
        } catch {
            await tunnel.stop()
            guard let error = error as? RadioError else { throw error }
            throw BrowserError("\(error)")
        }
    }

    package func stop() async {
        await bluetooth.stop()
        await bus.stop()
        await tunnel.stop()
    }

    /// The environment in which Chromium finds the adapter.
    var environment: [String: String] { [BlueZRadio.addressVariable: bus.address] }

    /// Whether an argument of the browser would take one of ``arguments`` away, or its windows.
    package static func conflicts(_ argument: String) -> Bool {
        ["--host-resolver-rules", "--ignore-certificate-errors-spki-list", "--headless", "--ozone-platform"].contains {
            argument == $0 || argument.hasPrefix($0 + "=")
        }
    }

    /// The arguments with which Chromium finds the tunnel service, trusts its certificate, and shows its windows on the X display.
    var arguments: [String] {
        let rules = TunnelDomain.assignedHosts.map { "MAP \($0) 127.0.0.1:\(tunnel.port)" }
        return [
            "--host-resolver-rules=\(rules.joined(separator: ","))",
            "--ignore-certificate-errors-spki-list=\(tunnel.authority.servicePin)", "--ozone-platform=x11",
        ]
    }

    /// Calls an act with the text of each QR code for a phone that appears on the screen, until the task is cancelled.
    ///
    /// - Throws: ``BrowserError`` when the screen cannot be read.
    package func watchScreen(_ act: (String) -> Void) async throws(BrowserError) {
        try await ScreenCodes.watch { text in
            if text.uppercased().hasPrefix(QRContents.prefix) { act(text) }
        }
    }
}
