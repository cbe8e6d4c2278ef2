package import CTAPHybrid
internal import CodeReader
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
    private let place: BrowserPlace
    private let tunnel: TunnelService

    /// Starts them; ``stop()`` ends them.
    ///
    /// - Throws: ``BrowserError`` that names a missing part.
    package static func start() async throws -> HybridSurroundings {
        do {
            try CodeReader.requireScreen()
        } catch {
            throw BrowserError("\(error)")
        }
        let tunnel = try await TunnelService.start()
        do {
            let bus = try await BusDaemon.start()
            do {
                let bluetooth = try await PretendedBlueZ.start(
                    on: bus.address, generator: SystemRandomNumberGenerator())
                let place = BrowserPlace(
                    bus: bus.address, tunnel: tunnel, environment: ProcessInfo.processInfo.environment)
                do {
                    try place.publish()
                } catch {
                    await bluetooth.stop()
                    throw BrowserError("the browser's file for running devices cannot be written: \(error)")
                }
                return HybridSurroundings(
                    way: HybridWay(radio: bluetooth, tunnel: TunnelClient(to: tunnel)), bluetooth: bluetooth, bus: bus,
                    place: place, tunnel: tunnel)
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
        place.withdraw()
        await bluetooth.stop()
        await bus.stop()
        await tunnel.stop()
    }

    /// The time between two looks at the armed fault.
    private static let pause = Duration.milliseconds(100)

    /// Sets the computer's adapter as an armed fault says, at first.
    package func setAdapter(_ fault: AdapterFault?) { bluetooth.setAdapter(fault?.condition ?? .on) }

    /// Keeps the computer's adapter as an armed fault says, until the task is cancelled.
    ///
    /// - Parameters:
    ///   - fault: the armed fault; nil for none.
    ///   - note: is called when a fault has its effect.
    package func followAdapter(_ fault: () -> AdapterFault?, note: () -> Void) async {
        var current: AdapterFault?
        var switching: Task<Void, Never>?
        while !Task.isCancelled {
            let fault = fault()
            if fault != current {
                switching?.cancel()
                current = fault
                setAdapter(fault)
                if case .late(let delay)? = fault { switching = switchOn(after: delay) }
                if fault != nil { note() }
            }
            try? await Task.sleep(for: Self.pause)
        }
        switching?.cancel()
    }

    private func switchOn(after delay: Duration) -> Task<Void, Never> {
        Task { [bluetooth] in
            try? await Task.sleep(for: delay)
            if !Task.isCancelled { bluetooth.setAdapter(.on) }
        }
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
    /// - Throws: `CodeReaderError` when the screen cannot be read.
    package func watchScreen(_ act: (String) -> Void) async throws { try await CodeReader.watchScreen(act) }
}

extension AdapterFault {
    /// The adapter's state at first.
    fileprivate var condition: PretendedBlueZ.AdapterCondition {
        switch self {
        case .absent: .absent
        case .off, .late: .off
        }
    }
}
