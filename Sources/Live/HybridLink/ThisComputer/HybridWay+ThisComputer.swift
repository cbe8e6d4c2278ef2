package import Radio

extension HybridWay {
    /// The way between the programs of a user on this computer, for either end: a simulated radio over UDP, and the tunnel
    /// services of the phones' processes.
    ///
    /// One way serves every phone of a process, and does not hear them; the other end has a way of its own. It keeps its radio
    /// until ``close()``.
    ///
    /// - Throws: ``RadioError/socket(_:)``.
    package static func onThisComputer(
        folder: TunnelFolder = .standard, radio configuration: UDPRadio.Configuration = UDPRadio.Configuration()
    ) async throws(RadioError) -> HybridWay {
        let radio = try await UDPRadio.open(
            configuration,
            environment: RadioEnvironment(
                sleep: { try await Task.sleep(for: $0) }, generator: SystemRandomNumberGenerator()))
        let tunnels = TunnelsOfThisComputer(folder: folder)
        return HybridWay(radio: radio, tunnel: tunnels, contacts: tunnels) {
            await radio.close()
            await tunnels.stop()
        }
    }
}
