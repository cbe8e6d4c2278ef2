internal import CTAP
internal import CTAPHybrid
internal import HybridLink
internal import SimulatedDevice
internal import VirtualAuthenticator
internal import WebAuthn
internal import WebAuthnClient

/// The browser of another computer, which shows a QR code for a phone of the scenario; for one ceremony.
struct ShownCode: Sendable {
    let client: WebAuthnClient
    let page: CredentialPage
    private let connection: DirectConnection

    /// - Parameter client: the client of the phone's own pages, whose environment this one has.
    init(
        for kind: CeremonyStep.Kind, scannedBy simulation: StageDevice.Simulation, beside client: WebAuthnClient
    ) {
        let (clock, random) = (simulation.clock, simulation.random)
        connection = DirectConnection(
            simulation.device, route: simulation.hybrid,
            operation: kind == .register ? .makeCredential : .getAssertion,
            surroundings: .init(now: clock.now, randomBytes: random.bytes) { clock.advance(by: $0) })
        var environment = client.environment
        environment.platformDevice = nil
        self.client = WebAuthnClient(device: connection, attachment: .crossPlatform, environment: environment)
        page = CredentialPage(client: self.client)
    }

    /// Adds to a ceremony's result the reason why the phone did not answer.
    func explain(_ result: inout StepResult) async {
        result.isScanned = true
        guard let failure = await connection.failure, result.isRefused else { return }
        result.cause = failure.cause
        result.explanation = failure.explanation
    }
}

extension StageDevice {
    /// The browser of another computer, whose QR code the device scans.
    func computer(showingCodeFor kind: CeremonyStep.Kind) -> ShownCode? {
        simulation.map { ShownCode(for: kind, scannedBy: $0, beside: client) }
    }
}
