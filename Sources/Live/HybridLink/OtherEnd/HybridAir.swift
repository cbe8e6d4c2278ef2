internal import Foundation
internal import HybridTunnel
internal import Radio

/// The place where phones are looked for.
package enum HybridAir: String, Codable, Hashable, Sendable, CaseIterable {
    /// Simulated phones of this computer.
    case thisComputer = "this-computer"
    /// Phones near the Bluetooth adapter, which use the public tunnel services. Untried with real phones.
    case bluetooth = "bluez"

    /// Opens the other end's way.
    ///
    /// - Throws: `RadioError`, which names the missing part.
    package func open() async throws -> HybridWay {
        switch self {
        case .thisComputer: return try await .onThisComputer()
        case .bluetooth:
            let radio = try await BlueZRadio.open(BlueZRadio.address(in: ProcessInfo.processInfo.environment))
            return HybridWay(radio: radio, tunnel: TunnelClient.network) { await radio.close() }
        }
    }
}
