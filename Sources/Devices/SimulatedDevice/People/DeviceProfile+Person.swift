internal import Biometrics
internal import DeviceProfiles
internal import VirtualAuthenticator

extension DeviceProfile {
    /// A user whose samples have the latencies of the profile's sensors.
    func person(
        _ person: any Person, time: any TimeSource, random: any RandomSource,
        wait: @escaping @Sendable (Duration) async -> Void
    ) -> any Person {
        var latencies: [BiometricModality: SensorLatency] = [:]
        for sensor in sensors { latencies[sensor.modality] = sensor.latency }
        guard !latencies.isEmpty else { return person }
        return DelayedPerson(person, latencies: latencies, time: time, random: random, waitUntil: wait)
    }
}
