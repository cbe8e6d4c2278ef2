internal import AppHost
internal import ReferenceApp
internal import SimulatedDevice
internal import VirtualAuthenticator

extension StageDevice {
    /// The reference app on the device; nil for a real device and for one without a screen.
    func app(
        _ plan: AppPlan, at site: Site, clock: SimulatedClock, random: any RandomSource,
        passStorage: @escaping @Sendable () -> Void, onEvent: @escaping @Sendable (AppHost.Event) -> Void
    ) -> AppHost? {
        guard let simulation, simulation.device.hasScreen else { return nil }
        let services = TurnTakingAppServices(
            services: LoopbackAppServices(port: site.port, userAgent: profile.userAgent))
        return AppHost(
            plan.settings(simulation.device.sensorName), on: simulation.device, watch: simulation.watch,
            client: client, origin: site.origin, services: services, time: clock, random: random,
            passStorage: passStorage, onEvent: onEvent)
    }
}
